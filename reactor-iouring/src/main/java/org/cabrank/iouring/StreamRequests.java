package org.cabrank.iouring;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;
import org.cabrank.kernel.Epoll;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.IoUring;
import org.cabrank.kernel.Sockets;
import org.cabrank.lf.Handle;
import org.cabrank.lf.Ready;
import org.cabrank.lf.stream.spi.Chunk;
import org.cabrank.lf.stream.spi.OutboundQueue;

/**
 * What a stream socket asks of the ring: one multishot receive, one send at a time, and before it stands, one poll.
 *
 * <p>A send belongs to the claim holder while it is IDLE or DONE, and to the kernel while it is IN_FLIGHT; the watcher makes
 * IN_FLIGHT to DONE. A connection that is closed makes IN_FLIGHT to FAREWELL: then the watcher sees to it that what the socket
 * takes at once still goes out, and that the queue's memory stays until then.
 */
final class StreamRequests extends Requests {
    /** Named bound: pieces that may wait for a claim holder before the receive is ended, until it has come round. */
    static final int PIECES_MAX = 64;

    private static final int IDLE = 0;
    private static final int IN_FLIGHT = 1;
    private static final int DONE = 2;
    private static final int FAREWELL = 3;

    private static final VarHandle SENDING;

    static {
        try {
            SENDING = MethodHandles.lookup().findVarHandle(StreamRequests.class, "sending", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final RingHandle handle;
    private final int fd;
    private final ReceiveBuffers buffers;
    private final RingConnection connection;
    private final boolean connects;

    /** The watcher is the claim holder, too. */
    private final boolean alone;

    private final InboundQueue inbound;
    private final LongSend longSend;
    private final Watched receiving = new Watched(this, RECV);
    private final Watched connecting = new Watched(this, POLL);

    /** Bytes of {@link InboundQueue#COPIED} pieces, in their order. */
    private final Deque<Chunk> copies = new ConcurrentLinkedDeque<>();

    /** The claim holder wants the kernel to receive no more, until it asks again. With the monitor. */
    private boolean held;

    /** The receive has ended for want of a buffer, and waits for one. With the monitor. */
    private boolean starved;

    private volatile int sending = IDLE;

    /** Written before IN_FLIGHT ends. */
    private int sendResult;

    /** What is to be sent after the connection was closed; written before the FAREWELL begins. */
    private OutboundQueue farewell;

    /** The close is a reset: nothing more is to be sent. */
    private boolean outputDiscarded;

    /** @param connects the connection does not stand yet */
    StreamRequests(RingHandleSet set, RingHandle handle, ReceiveBuffers buffers, boolean connects) {
        super(set);
        this.handle = handle;
        this.fd = handle.fd();
        this.buffers = buffers;
        this.connection = (RingConnection) handle.handler();
        this.connects = connects;
        this.alone = !set.isShared();
        this.inbound = new InboundQueue(set.isShared());
        this.longSend = new LongSend(this);
    }

    @Override
    Handle handle() {
        return handle;
    }

    InboundQueue inbound() {
        return inbound;
    }

    Deque<Chunk> copies() {
        return copies;
    }

    // ---- connecting ----

    @Override
    boolean check() {
        return connects; // else the connection asks for input when its handler was told that it is open
    }

    @Override
    synchronized void arm() {
        if (isClosed() || !connecting.tryArm()) {
            return;
        }
        set().submissions().add(IoUring.IORING_OP_POLL_ADD, 0, 0, fd, 0, 0, 0, Epoll.EPOLLOUT, userData(POLL), 0, 0);
    }

    private int connectDecided(int result, int flags) {
        connecting.isLast(flags);
        ended();
        if (result == -Errno.ECANCELED || result == -Errno.EINTR) {
            arm(); // its thread has ended, or this is closed
            return 0;
        }
        return result < 0 ? Ready.ERROR : PollRequests.readyOf(result) | Ready.WRITE;
    }

    // ---- receiving ----

    boolean isReceiving() {
        return receiving.isArmed();
    }

    /** Claim holder: has the kernel receive, if it does not, as soon as there is a buffer. */
    synchronized void receive() {
        held = false;
        armReceive();
    }

    private void armReceive() {
        if (isClosed() || starved || inbound.hasEnded() || !receiving.tryArm()) {
            return;
        }
        set().submissions()
                .add(
                        IoUring.IORING_OP_RECV,
                        IoUring.IOSQE_BUFFER_SELECT,
                        buffers.receiveFlags(),
                        fd,
                        0,
                        0,
                        0,
                        0,
                        userData(RECV),
                        buffers.group(),
                        0);
    }

    /** Claim holder: has the kernel receive no more until {@link #receive}; what it has received still comes. */
    synchronized void endReceiving() {
        held = true;
        receiving.end();
    }

    /** Watcher: there is no buffer to receive into. */
    synchronized void starve() {
        starved = true;
    }

    /** Watcher: there may be a buffer again. */
    synchronized void feed() {
        starved = false;
        goOnReceiving();
    }

    /** Watcher: the receive has ended, and not because the claim holder wanted its end. */
    private synchronized void goOnReceiving() {
        if (!held) {
            armReceive();
        }
    }

    private int received(int result, int flags) {
        if (result > 0) {
            buffers.received(inbound, result, flags);
        }
        if (isClosed()) {
            releaseInbound();
        } else if (result == -Errno.ENOBUFS) {
            buffers.exhausted(this);
        } else if (result <= 0 && result != -Errno.ECANCELED && result != -Errno.EINTR && result != -Errno.EAGAIN) {
            inbound.end(result);
        } else if (inbound.size() > PIECES_MAX) {
            receiving.end();
        }
        if (receiving.isLast(flags)) {
            if (receiving.isTakenOver()) {
                goOnReceiving();
            }
            ended();
        }
        return isClosed() ? 0 : Ready.READ; // after the last, the claim holder decides whether it goes on
    }

    // ---- sending ----

    /**
     * Claim holder: see {@link org.cabrank.lf.stream.spi.Transmitter#sendQueued}.
     *
     * @throws IOException with the errno of a send that has failed
     */
    int sendQueued(OutboundQueue queue) throws IOException {
        int state = sending;
        if (state == IN_FLIGHT) {
            return 0;
        }
        if (state == DONE) {
            sending = IDLE;
            longSend.end();
            int result = sendResult;
            if (result > 0) {
                return result;
            }
            if (result < 0 && result != -Errno.ECANCELED && result != -Errno.EINTR && result != -Errno.EAGAIN) {
                throw Errno.exception(handle.handler() + ": send", result);
            }
        }
        sending = IN_FLIGHT;
        begin();
        send(queue, 0);
        return 0;
    }

    private void send(OutboundQueue queue, int flags) {
        if (longSend.isFor(queue)) {
            longSend.send(queue, fd, flags);
            return;
        }
        set().submissions()
                .add(
                        IoUring.IORING_OP_SEND,
                        0,
                        0,
                        fd,
                        0,
                        queue.headAddress(),
                        queue.headBytes(),
                        Sockets.MSG_NOSIGNAL | flags,
                        userData(SEND),
                        0,
                        0);
    }

    /** Watcher: the send in flight has ended. */
    int sent(int result) {
        if (alone && sending == IN_FLIGHT && result > 0 && connection.tookAll(result)) {
            sending = IDLE;
            longSend.end();
            ended();
            return 0;
        }
        sendResult = result;
        if (SENDING.compareAndSet(this, IN_FLIGHT, DONE)) {
            ended();
            return isClosed() ? 0 : Ready.WRITE;
        }
        goOnWithFarewell(result);
        ended();
        return 0;
    }

    // ---- the end ----

    /** Claim holder: the close to come sends nothing more. */
    void discardOutput() {
        outputDiscarded = true;
    }

    @Override
    synchronized void close() {
        receiving.end();
        connecting.end();
        connection.releasePresent();
        farewell = connection.takeUnsent();
        int inFlight = longSend.operation();
        if (SENDING.compareAndSet(this, IN_FLIGHT, FAREWELL)) {
            set().cancel(userData(inFlight)); // where it waits for room; what follows does not wait
        } else {
            boolean failed = sending == DONE && sendResult < 0;
            int sent = sending == DONE && !failed ? sendResult : 0;
            sending = FAREWELL;
            goOnWithFarewell(failed ? -Errno.EPIPE : sent);
        }
        markClosed();
    }

    /**
     * Watcher, or the thread that closes before anything is in flight: the last send has taken {@code result} bytes, or failed.
     * A cancelled one has waited for room: there is none.
     */
    private void goOnWithFarewell(int result) {
        if (result >= 0) {
            farewell.sent(result);
        }
        if (result >= 0 && !farewell.isEmpty() && !outputDiscarded && !set().isQuiet()) {
            longSend.end();
            begin();
            send(farewell, Sockets.MSG_DONTWAIT);
        } else {
            set().closeInOrder(fd);
        }
    }

    @Override
    int completed(int operation, int result, int flags) {
        return switch (operation) {
            case RECV -> received(result, flags);
            case SEND -> sent(result);
            case POLL -> connectDecided(result, flags);
            default -> longSend.completed(operation, result, flags);
        };
    }

    @Override
    void released() {
        farewell.discard();
        longSend.end();
        releaseInbound();
    }

    private void releaseInbound() {
        for (long piece = inbound.poll(); InboundQueue.isPiece(piece); piece = inbound.poll()) {
            release(piece);
        }
    }

    /** A piece was taken from the queue and is used no more. */
    void release(long piece) {
        if (InboundQueue.bufferId(piece) == InboundQueue.COPIED) {
            buffers.giveBack(copies.remove());
        } else {
            buffers.release(piece);
        }
    }

    @Override
    public String toString() {
        return "stream of " + handle;
    }
}
