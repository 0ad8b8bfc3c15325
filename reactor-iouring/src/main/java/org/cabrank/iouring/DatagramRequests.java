package org.cabrank.iouring;

import java.io.IOException;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.layout.IoUring;
import org.cabrank.lf.handle.Ready;
import org.cabrank.socket.calls.DatagramInput;
import org.cabrank.socket.calls.DatagramSlot;

final class DatagramRequests extends PollRequests implements DatagramInput {
    private final RingHandle handle;
    private final int bytesMax;
    private final InboundQueue inbound;
    private final MultishotRequest<DatagramRequests> receive = new MultishotRequest<>(this, RECV);

    /** Null before the watcher arms the first receive. */
    private DatagramBuffers buffers;

    private volatile boolean active = true;

    /** True if the receive has stopped and the claim holder must arm it again. */
    private boolean stopped;

    private volatile boolean draining;

    private volatile boolean endAsked;

    private int failure;

    private boolean starved;

    /** True if a datagram has been received. */
    private boolean proven;

    DatagramRequests(RingHandleSet set, RingHandle handle, PollCheck check, int bytesMax) {
        super(set, handle, check);
        this.handle = handle;
        this.bytesMax = bytesMax;
        this.inbound = new InboundQueue();
    }

    @Override
    public boolean isActive() {
        return active;
    }

    @Override
    public int take(DatagramSlot[] into) {
        int taken = 0;
        while (taken < into.length) {
            long piece = inbound.poll();
            if (!InboundQueue.isPiece(piece)) {
                if (draining) {
                    receive.end();
                    endAsked = true;
                }
                return taken == 0 && stopped ? resume() : taken;
            }
            into[taken++] = buffers.slot(InboundQueue.bufferId(piece));
        }
        return taken;
    }

    /** If a failure ended the receive, returns its {@code -errno} once. Otherwise arms a receive and returns 0. */
    private int resume() {
        int result = failure;
        failure = 0;
        if (result == 0) {
            stopped = false;
            armReceive();
        }
        return result;
    }

    @Override
    public void giveBack(DatagramSlot slot) {
        buffers.giveBack(slot.number());
    }

    /** The next {@link #take} ends an armed receive. */
    @Override
    public void drain() {
        draining = true;
    }

    /** Checks the queue last, because an armed receive may still add a datagram to the queue. */
    @Override
    public boolean isDrained() {
        return endAsked && !receive.isArmed() && inbound.size() == 0;
    }

    @Override
    boolean check() throws IOException {
        super.check();
        return true;
    }

    @Override
    void arm() {
        if (active && buffers == null && !isClosed()) {
            buffers = set().datagrams().of(bytesMax);
            active = buffers != null;
            if (active) {
                buffers.join();
            }
        }
        if (active) {
            armReceive();
        } else {
            super.arm();
        }
    }

    private boolean armReceive() {
        if (isClosed() || draining || stopped || starved || !receive.tryArm()) {
            return false;
        }
        set().submissions().receiveMessages(handle.fd(), buffers.headerAddress(), buffers.group(), userData(RECV));
        return true;
    }

    boolean feed() {
        starved = false;
        return armReceive();
    }

    private void awaitBuffer() {
        starved = true;
        buffers.await(this);
    }

    @Override
    boolean isGathered() {
        return true;
    }

    @Override
    int completed(int operation, int result, int flags) {
        return operation == RECV ? received(result, flags) : super.completed(operation, result, flags);
    }

    private int received(int result, int flags) {
        boolean brought = false;
        if ((flags & IoUring.IORING_CQE_F_BUFFER) != 0) {
            int buffer = flags >>> IoUring.IORING_CQE_BUFFER_SHIFT;
            brought = buffers.received(buffer, result, !isClosed());
            if (brought) {
                inbound.add(InboundQueue.piece(buffer, 0, 0));
                proven = true;
            }
        }
        boolean failed = result < 0 && noteFailure(result);
        if (brought && inbound.size() > buffers.waitingMax()) {
            stop(0);
            receive.end();
        }
        if (receive.isLast(flags)) {
            armAgain(result);
            ended();
        }
        return (brought || failed) && !isClosed() ? Ready.READ : 0;
    }

    private boolean noteFailure(int result) {
        if (result == -Errno.ENOBUFS || isToBeAskedAgain(result)) {
            return false;
        }
        if (!proven && (result == -Errno.EINVAL || result == -Errno.EOPNOTSUPP)) {
            active = false;
            set().datagrams()
                    .log("io_uring refuses them with " + Errno.name(-result) + "; Linux has them from 6.0 on", null);
            return false;
        }
        stop(result);
        return true;
    }

    private void stop(int result) {
        failure = result;
        stopped = true;
    }

    private void armAgain(int result) {
        if (isClosed() || set().isQuiet()) {
            return;
        }
        if (!active) {
            super.arm();
        } else if (result == -Errno.ENOBUFS || !buffers.anyFree()) {
            awaitBuffer();
        } else {
            armReceive();
        }
    }

    @Override
    void close() {
        receive.end();
        super.close();
    }

    /** Called after {@link #close}, when no request is armed. */
    void closeDescriptor() {
        set().closeInOrder(handle.fd());
    }

    @Override
    void released() {
        super.released();
        for (long piece = inbound.poll(); InboundQueue.isPiece(piece); piece = inbound.poll()) {
            buffers.giveBack(InboundQueue.bufferId(piece));
        }
        if (buffers != null) {
            buffers.leave();
        }
    }

    @Override
    public String toString() {
        return "datagrams of " + handle;
    }
}
