package org.cabrank.iouring;

import org.cabrank.iouring.ring.KnownFault;
import org.cabrank.iouring.ring.SubmissionWriter;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.layout.IoUring;
import org.cabrank.lf.handle.Ready;

/**
 * Receive of a stream socket into the {@link InboundQueue}. A receive is multishot by default. It brings only one piece if the claim holder
 * wants only one, if buffers are scarce, or if the kernel {@linkplain KnownFault#END_LOST_BEHIND_BYTES loses ends}. The claim holder arms
 * the receive by {@link #ask}. The watcher arms it when buffers are free again.
 *
 * <p>A multishot receive may lose an end that arrives at the moment of arming ({@link KnownFault#END_LOST_WHEN_ARMED}). So when the first
 * bytes arrive, the watcher looks for an end behind them, and cancels the receive if there is one. The last completion follows all bytes,
 * and is then taken as the end.
 */
class ReceiveRequest extends MultishotRequest<StreamRequests> implements ReceiveBuffers.Receiver {
    /** If more pieces than this wait, the receive is ended until the claim holder has taken them. */
    static final int PIECES_MAX = 64;

    /** Marks that no end was found. A receive that has ended returns 0 or {@code -errno}. */
    private static final int NO_END = 1;

    private final int fd;
    private final ReceiveBuffers buffers;
    private final InboundQueue inbound;

    /** True if no receive may be armed before the next {@link #ask}. */
    private boolean held;

    private boolean once;

    private boolean starved;

    /** True if a multishot receive has brought nothing since it was armed. */
    private boolean fresh;

    /** Result of the end that the watcher has found behind the bytes, or NO_END. */
    private int foundEnd = NO_END;

    ReceiveRequest(StreamRequests requests, int fd, ReceiveBuffers buffers, InboundQueue inbound) {
        super(requests, HandleRequests.RECV);
        this.fd = fd;
        this.buffers = buffers;
        this.inbound = inbound;
    }

    /** Makes the kernel receive as soon as there is a buffer. If {@code one} is true, the kernel receives only one piece. */
    void ask(boolean one) {
        held = false;
        once = one;
        arm();
    }

    /** Stops receiving until {@link #ask}. Pieces that were received before still arrive. */
    void hold() {
        held = true;
        end();
    }

    boolean isHeld() {
        return held && !isArmed();
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
        requests.set().inputAsked(requests);
        return true;
    }

    boolean isSingle() {
        return false;
    }

    void submitSingle(SubmissionWriter submissions, long file, long userData) {
        submissions.receive(file, buffers.ring().bufferBytes(), buffers.group(), userData);
    }

    /** Called when a receive has completed without failure, before its bytes are published. */
    void taken() {
        // does nothing, because this receive has no control data
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
        if (!isArmed()) {
            requests.set().inputLeft(requests);
        }
        // The claim holder decides after the last piece whether to continue. ERROR shows the end to a claim holder that
        // reads no input.
        boolean atEnd = !isArmed() && (inbound.hasFailed() || requests.isEndWanted());
        return atEnd ? Ready.READ | Ready.ERROR : Ready.READ;
    }

    private void lookForEnd() {
        int peeked = buffers.peek(fd);
        fresh = peeked > 0; // the bytes, and an end behind them, are still to arrive
        if (peeked <= 0 && peeked != -Errno.EAGAIN) {
            foundEnd = peeked;
            end();
        }
    }

    /** If lookForEnd() has found an error, the kernel has cleared the error, and reports an orderly end to each later receive. */
    int withFoundEnd(int result) {
        if (foundEnd == NO_END || result > 0) {
            return result;
        }
        return result == -Errno.ECANCELED || result == 0 ? foundEnd : result;
    }

    /** Waits for a buffer. If many pieces are queued, does not wait, because the claim holder must take them first. */
    private void outOfBuffers() {
        if (inbound.size() > PIECES_MAX) {
            buffers.noteExhausted();
        } else {
            buffers.exhausted(this);
        }
    }
}
