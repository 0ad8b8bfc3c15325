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
    /** Named bound: pieces that may wait for a claim holder before the receive is ended. */
    static final int PIECES_MAX = 64;

    /** No result of a receive that has ended: those are 0 or {@code -errno}. */
    private static final int NO_END = 1;

    private final int fd;
    private final ReceiveBuffers buffers;
    private final InboundQueue inbound;

    /** True if the claim holder wants no receive before the next request. */
    private boolean held;

    /** True if the claim holder wants one piece. */
    private boolean once;

    /** True if the receive has ended for lack of a buffer and waits for one. */
    private boolean starved;

    /** True if a multishot receive has brought nothing since it was armed. Written before it is queued, read at its completion. */
    private boolean fresh;

    /** Result of the end that the watcher has found after the bytes, or NO_END. Used by the watcher only. */
    private int foundEnd = NO_END;

    ReceiveRequest(StreamRequests requests, int fd, ReceiveBuffers buffers, InboundQueue inbound) {
        super(requests, HandleRequests.RECV);
        this.fd = fd;
        this.buffers = buffers;
        this.inbound = inbound;
    }

    /** Claim holder. Makes the kernel receive, as soon as there is a buffer. {@code one}: one piece only. */
    void ask(boolean one) {
        held = false;
        once = one;
        arm();
    }

    /** Claim holder. Stops receiving until {@link #ask}; received pieces still arrive. */
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

    /** Watcher. Called when a receive has completed without failure; its bytes are published next. */
    void taken() {
        // has nothing but bytes
    }

    @Override
    public void starve() {
        starved = true;
    }

    @Override
    public boolean feed() {
        starved = false;
        return inbound.size() == 0 && arm();
    }

    /**
     * Watcher. Takes the completion.
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
        // After the last piece the claim holder decides whether the receive continues. A handler that is not called for
        // input checks for
        // the end of the stream.
        boolean atEnd = !isArmed() && (inbound.hasFailed() || requests.isEndWanted());
        return atEnd ? Ready.READ | Ready.ERROR : Ready.READ;
    }

    private void lookForEnd() {
        int peeked = buffers.peek(fd);
        fresh = peeked > 0; // bytes: they and the end behind them are still to arrive
        if (peeked <= 0 && peeked != -Errno.EAGAIN) {
            foundEnd = peeked;
            end();
        }
    }

    private int withFoundEnd(int result) {
        if (foundEnd == NO_END || result > 0) {
            return result;
        }
        // Reading a pending error clears it, and the kernel then reports an orderly end.
        return result == -Errno.ECANCELED || result == 0 ? foundEnd : result;
    }

    /**
     * Called when no buffer is free. A connection with many pieces waits for its claim holder and not for buffers, because its pieces
     * would be copied otherwise.
     */
    private void outOfBuffers() {
        if (inbound.size() > PIECES_MAX) {
            buffers.noteExhausted();
        } else {
            buffers.exhausted(this);
        }
    }
}
