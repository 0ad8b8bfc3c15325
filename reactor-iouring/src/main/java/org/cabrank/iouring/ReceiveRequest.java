package org.cabrank.iouring;

import org.cabrank.iouring.ring.KnownFault;
import org.cabrank.iouring.ring.SubmissionWriter;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.layout.IoUring;
import org.cabrank.lf.handle.Ready;

/**
 * Receive of a stream socket into the {@link InboundQueue}. Multishot unless the claim holder wants only one piece, buffers are scarce or
 * the kernel {@linkplain KnownFault#END_LOST_BEHIND_BYTES loses ends}. Armed by the claim holder ({@link #ask}), and by the watcher when
 * buffers are free again.
 *
 * <p>A multishot receive that finds bytes and the end of the stream when it is armed loses the end ({@link
 * KnownFault#END_LOST_WHEN_ARMED}). So when the first bytes after arming arrive, the watcher looks for an end behind them. If there is an
 * end, the watcher cancels the receive; the last completion, which follows all bytes, then reports the end.
 */
class ReceiveRequest extends MultishotRequest<StreamRequests> implements ReceiveBuffers.Receiver {
    /** Named bound: number of waiting pieces above which the receive is ended, until the claim holder has taken them. */
    static final int PIECES_MAX = 64;

    /** Not the result of an ended receive, which is 0 or {@code -errno}. */
    private static final int NO_END = 1;

    private final int fd;
    private final ReceiveBuffers buffers;
    private final InboundQueue inbound;

    /** True if no receive may be armed before the next {@link #ask}. */
    private boolean held;

    private boolean once;

    private boolean starved;

    /** True if a multishot receive has brought nothing since it was armed. Written before the request is queued, read at its completion. */
    private boolean fresh;

    /** Result of the end that the watcher has found behind the bytes; NO_END before. Used by the watcher. */
    private int foundEnd = NO_END;

    ReceiveRequest(StreamRequests requests, int fd, ReceiveBuffers buffers, InboundQueue inbound) {
        super(requests, HandleRequests.RECV);
        this.fd = fd;
        this.buffers = buffers;
        this.inbound = inbound;
    }

    /** Claim holder. Makes the kernel receive as soon as there is a buffer: only one piece if {@code one}. */
    void ask(boolean one) {
        held = false;
        once = one;
        arm();
    }

    /** Claim holder. Stops receiving until {@link #ask}. Pieces that were received before still arrive. */
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

    boolean isSingle() {
        return false;
    }

    void submitSingle(SubmissionWriter submissions, long file, long userData) {
        submissions.receive(file, buffers.ring().bufferBytes(), buffers.group(), userData);
    }

    /** Watcher. Called when a receive has completed without failure, before its bytes are published. */
    void taken() {
        // a plain receive has nothing but bytes
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

    /** Watcher. Returns the {@link Ready} bits to dispatch. */
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
        // The claim holder decides after the last piece whether to continue; if it reads no input, it must see the end.
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

    private int withFoundEnd(int result) {
        if (foundEnd == NO_END || result > 0) {
            return result;
        }
        // Reading a pending error clears it, and the kernel then reports an orderly end.
        return result == -Errno.ECANCELED || result == 0 ? foundEnd : result;
    }

    /** Called when no buffer is free. Awaits a buffer unless many pieces wait: the claim holder must take them, or they are copied. */
    private void outOfBuffers() {
        if (inbound.size() > PIECES_MAX) {
            buffers.noteExhausted();
        } else {
            buffers.exhausted(this);
        }
    }
}
