package org.cabrank.iouring;

import java.io.IOException;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.layout.IoUring;
import org.cabrank.lf.handle.Ready;
import org.cabrank.socket.DatagramInput;
import org.cabrank.socket.DatagramSlot;

/**
 * Requests of a datagram socket: a multishot receive of messages (IORING_OP_RECVMSG, Linux 6.0), which is armed as long as there are
 * buffers. If the kernel refuses the first receive, the socket is polled instead.
 *
 * <p>The receive ends with each datagram without bytes, with an error, and for want of a buffer.
 * The watcher arms it again, except in these cases:
 *
 * <ul>
 *   <li>no buffer is free: when a buffer is ({@link #feed});
 *   <li>an error, or too many datagrams wait for the handler (<em>stopped</em>): when the handler has taken all ({@link #take}).
 * </ul>
 */
final class DatagramRequests extends PollRequests implements DatagramInput {
    private final RingHandle handle;
    private final int bytesMax;
    private final InboundQueue inbound;
    private final MultishotRequest<DatagramRequests> receive = new MultishotRequest<>(this, RECV);

    /** Null until the watcher arms the first receive. */
    private DatagramBuffers buffers;

    private volatile boolean active = true;

    /** True if the claim holder arms the receive. */
    private boolean stopped;

    /** True if the receive is not armed again. Written by any thread. */
    private volatile boolean draining;

    /** True from the time at which the handler has asked for the end. */
    private volatile boolean endAsked;

    /** Errno of a receive, negative; 0: none. */
    private int failure;

    /** True if the socket waits for a buffer. */
    private boolean starved;

    /** True after the first datagram. Accessed by the watcher only. */
    private boolean proven;

    DatagramRequests(RingHandleSet set, RingHandle handle, PollCheck check, int bytesMax) {
        super(set, handle, check);
        this.handle = handle;
        this.bytesMax = bytesMax;
        this.inbound = new InboundQueue();
    }

    // ---- for the socket, inside its handler ----

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

    /** All was taken. Returns the failure that has ended the receive; after that, and if there is none, the kernel receives again. */
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

    /** Any thread: a receive that is armed at this moment is ended by the next {@link #take}. */
    @Override
    public void drain() {
        draining = true;
    }

    /** The last completion makes the request idle behind all pieces of the request, so the pieces are asked for second. */
    @Override
    public boolean isDrained() {
        return endAsked && !receive.isArmed() && inbound.size() == 0;
    }

    // ---- for the watcher ----

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

    /** A buffer may be free. Returns true if the socket asked for it. */
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

    /** Returns true if the handler must be called. */
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

    // ---- the end ----

    @Override
    void close() {
        receive.end();
        super.close();
    }

    /** Behind all requests that name the descriptor: called after {@link #close}, and nothing is armed any more. */
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
