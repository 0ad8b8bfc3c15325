package org.cabrank.iouring;

import org.cabrank.iouring.ring.KnownFault;
import org.cabrank.iouring.ring.SubmissionWriter;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.layout.IoUring;
import org.cabrank.lf.handle.Ready;

/**
 * The receive of a stream socket, multishot unless the claim holder wants one piece only, buffers are scarce or the kernel
 * {@linkplain KnownFault#END_LOST_BEHIND_BYTES loses ends}: what it brings stands in the {@link InboundQueue}. It is armed when the
 * claim holder asks for it, and by the watcher when there are buffers again.
 *
 * <p>A multishot receive that finds bytes and the end of the stream when it is armed brings the bytes and loses the end ({@link
 * KnownFault#END_LOST_WHEN_ARMED}). So with the first bytes after it was armed, the watcher looks for an end behind them. If there
 * is one, the watcher ends the receive, and the last completion, which comes behind all bytes, stands for the end of the stream.
 */
class ReceiveRequest extends MultishotRequest<StreamRequests> implements ReceiveBuffers.Receiver {
    /** Named bound: pieces that may wait for a claim holder before the receive is ended, until it has come round. */
    static final int PIECES_MAX = 64;

    /** No result of a receive that has ended: those are 0 or {@code -errno}. */
    private static final int NO_END = 1;

    private final int fd;
    private final ReceiveBuffers buffers;
    private final InboundQueue inbound;

    /** The claim holder wants the kernel to receive no more, until it asks again. */
    private boolean held;

    /** The claim holder wants one piece. */
    private boolean once;

    /** It has ended while there was no buffer, and waits for one. */
    private boolean starved;

    /** It is multishot, and has brought nothing since it was armed: written before it is queued, read when it completes. */
    private boolean fresh;

    /** Result of the end that the watcher has found behind the bytes, or NO_END. Accessed by the watcher only. */
    private int foundEnd = NO_END;

    ReceiveRequest(StreamRequests requests, int fd, ReceiveBuffers buffers, InboundQueue inbound) {
        super(requests, HandleRequests.RECV);
        this.fd = fd;
        this.buffers = buffers;
        this.inbound = inbound;
    }

    /** Claim holder: has the kernel receive, if it does not, as soon as there is a buffer; {@code one} piece, or many. */
    void ask(boolean one) {
        held = false;
        once = one;
        arm();
    }

    /** Claim holder: has the kernel receive no more until {@link #ask}; what it has received still comes. */
    void hold() {
        held = true;
        end();
    }

    private boolean isWanted() {
        return !held && !starved && !requests.isClosed() && !inbound.hasEnded();
    }

    private boolean arm() {
        if (!isWanted() || !tryArm()) {
            return false;
        }
        boolean single = isSingle() || once || buffers.areScarce() || buffers.areEndsLost();
        fresh = !single;
        long file = SubmissionWriter.descriptor(fd);
        long userData = requests.userData(HandleRequests.RECV);
        if (single) {
            submitSingle(requests.set().submissions(), file, userData);
        } else {
            requests.set().submissions().receiveMultishot(file, buffers.receiveFlags(), 0, buffers.group(), userData);
        }
        return true;
    }

    /** Returns true if each receive completes once. */
    boolean isSingle() {
        return false;
    }

    /** Queues a receive that completes once. */
    void submitSingle(SubmissionWriter submissions, long file, long userData) {
        submissions.receive(file, buffers.ring().bufferBytes(), buffers.group(), userData);
    }

    /** Watcher: a receive has completed and not failed; its bytes are made known next. */
    void taken() {
        // has nothing but bytes
    }

    @Override
    public void starve() {
        starved = true;
    }

    /** A claim holder that has something to take has the kernel receive when it has taken it; nobody gets more before. */
    @Override
    public boolean feed() {
        starved = false;
        return inbound.size() == 0 && arm();
    }

    /**
     * Watcher: it has completed.
     *
     * @return the {@link Ready} bits to dispatch
     */
    int completed(int result, int flags) {
        if (result >= 0) {
            taken();
        }
        if (result > 0) {
            boolean taken = buffers.received(inbound, result, flags);
            if (!taken) {
                end();
            } else if (fresh && (flags & IoUring.IORING_CQE_F_MORE) != 0 && !requests.isClosed()) {
                lookForEnd();
            }
        }
        int outcome = withFoundEnd(result);
        if (requests.isClosed()) {
            requests.releaseInbound();
        } else if (outcome == -Errno.ENOBUFS) {
            outOfBuffers();
        } else if (outcome <= 0 && !HandleRequests.isToBeAskedAgain(outcome)) {
            inbound.end(outcome);
        } else if (inbound.size() > PIECES_MAX) {
            end();
        }
        if (isLast(flags)) {
            requests.ended();
        }
        if (requests.isClosed()) {
            return 0;
        }
        // After the last, the claim holder decides whether it goes
        // on. One that is not called for input looks at an end.
        boolean atEnd = !isArmed() && (inbound.hasFailed() || requests.isEndWanted());
        return atEnd ? Ready.READ | Ready.ERROR : Ready.READ;
    }

    private void lookForEnd() {
        int peeked = buffers.peek(fd);
        fresh = peeked > 0; // bytes: those and what is behind them are still to come
        if (peeked <= 0 && peeked != -Errno.EAGAIN) {
            foundEnd = peeked;
            end();
        }
    }

    private int withFoundEnd(int result) {
        if (foundEnd == NO_END || result > 0) {
            return result;
        }
        // To look at a pending error clears it: the kernel reports an orderly end then.
        return result == -Errno.ECANCELED || result == 0 ? foundEnd : result;
    }

    /**
     * Called when no buffer is free. A connection with many pieces waits for its claim holder, not for buffers: its pieces would
     * be copied otherwise.
     */
    private void outOfBuffers() {
        if (inbound.size() > PIECES_MAX) {
            buffers.noteExhausted();
        } else {
            buffers.exhausted(this);
        }
    }
}
