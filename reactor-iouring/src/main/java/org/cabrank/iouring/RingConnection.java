package org.cabrank.iouring;

import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.Sockets;
import org.cabrank.lf.EventHandler;
import org.cabrank.lf.Ready;
import org.cabrank.lf.stream.Connection;
import org.cabrank.lf.stream.ConnectionHandler;
import org.cabrank.lf.stream.spi.Chunk;
import org.cabrank.lf.stream.spi.OutboundQueue;
import org.cabrank.lf.stream.spi.StreamConnection;
import org.cabrank.lf.stream.spi.ThreadBuffers;

/** A stream connection whose bytes are received and sent by requests to a ring. */
final class RingConnection extends StreamConnection {
    private final Kernel kernel;
    private final RingShard shard;
    private final ReceiveBuffers buffers;
    private final int fd;
    private final SocketAddress remoteAddress;
    private final RingHandle handle;
    private final StreamRequests requests;

    /** Who waits for a connection that this side makes; null when the peer made it. */
    private final CompletableFuture<Connection> connecting;

    private SocketAddress localAddress;

    /** What is left of the piece that was taken from the queue last. */
    private long present = InboundQueue.NOTHING;

    /** The piece whose buffer the handler has been given. A number rather than the buffer: storing references costs a barrier. */
    private long inHand = InboundQueue.NOTHING;

    /** A drain must know that the socket is empty: nobody receives by request then, and it is read until it would block. */
    private boolean drainWanted;

    private boolean drained;

    RingConnection(
            RingShard shard,
            int fd,
            SocketAddress remoteAddress,
            SocketAddress localAddress,
            ConnectionHandler handler,
            CompletableFuture<Connection> connecting) {
        super(handler, shard.context());
        this.kernel = shard.kernel();
        this.shard = shard;
        this.buffers = shard.buffers();
        this.fd = fd;
        this.remoteAddress = remoteAddress;
        this.localAddress = localAddress;
        this.connecting = connecting;
        RingHandleSet set = shard.handleSet();
        this.handle = new RingHandle(
                set, fd, shell(this), own -> new StreamRequests(set, own, shard.buffers(), connecting != null));
        this.requests = (StreamRequests) handle.requests();
        bind(handle);
    }

    /** Lets the compiler see that the handler is used only when this is complete. */
    private static EventHandler shell(RingConnection connection) {
        return connection;
    }

    RingHandle ringHandle() {
        return handle;
    }

    private IOException failure(String call, int result) {
        return Errno.exception(this + ": " + call, result);
    }

    // ---- input ----

    @Override
    protected boolean receive(ThreadBuffers threadBuffers) throws Exception {
        if (!wantsInput()) {
            return false;
        }
        long piece =
                present != InboundQueue.NOTHING ? present : requests.inbound().poll();
        if (piece == InboundQueue.NOTHING) {
            return drainWanted && receiveAtOnce(threadBuffers);
        }
        if (piece == InboundQueue.END) {
            return endReached();
        }
        if (buffers.isWhole(piece) && InboundQueue.bufferId(piece) != InboundQueue.COPIED && !hasUnread()) {
            deliver(piece);
        } else {
            copy(piece, receiveRoom(threadBuffers));
        }
        return present != InboundQueue.NOTHING || !requests.inbound().isEmpty();
    }

    private boolean endReached() throws Exception {
        int result = requests.inbound().endResult();
        drained = true;
        if (result == 0) {
            endOfInput();
        } else {
            fail(failure("recv", result));
        }
        return false;
    }

    /** From where the kernel has put it. */
    private void deliver(long piece) throws Exception {
        inHand = piece;
        try {
            receivedIn(buffers.view(piece).clear().limit(InboundQueue.bytes(piece)));
        } finally {
            if (inHand == piece) { // else the handler has waited for a reply, and the connection is others'
                inHand = InboundQueue.NOTHING;
            }
            requests.release(piece);
        }
    }

    /** Behind what the handler has left unread, or because the buffer is not this connection's alone. */
    private void copy(long piece, Chunk room) throws Exception {
        boolean copied = InboundQueue.bufferId(piece) == InboundQueue.COPIED;
        ByteBuffer from = copied ? requests.copies().element().bytes : buffers.whole(piece);
        int offset = InboundQueue.offset(piece);
        int left = InboundQueue.bytes(piece);
        int count = Math.min(left, room.bytes.remaining());
        room.bytes.put(room.bytes.position(), from, offset, count);
        room.bytes.position(room.bytes.position() + count);
        if (count == left) {
            present = InboundQueue.NOTHING;
            requests.release(piece);
        } else {
            present = keep(InboundQueue.piece(InboundQueue.bufferId(piece), offset + count, left - count));
        }
        received(room);
    }

    /** The handler may not want the rest for long, and others need the buffer. */
    private long keep(long rest) {
        if (InboundQueue.bufferId(rest) == InboundQueue.COPIED) {
            return rest;
        }
        requests.copies().addFirst(buffers.copyOf(rest));
        return InboundQueue.piece(InboundQueue.COPIED, 0, InboundQueue.bytes(rest));
    }

    /** Closing: what is left of the present piece is wanted no more. */
    void releasePresent() {
        if (present != InboundQueue.NOTHING) {
            requests.release(present);
            present = InboundQueue.NOTHING;
        }
    }

    /** No request receives any more; what the socket still has is read by the caller itself. */
    private boolean receiveAtOnce(ThreadBuffers threadBuffers) throws Exception {
        if (drained || requests.isReceiving()) {
            return false;
        }
        Chunk room = receiveRoom(threadBuffers);
        int position = room.bytes.position();
        int result = kernel.recv(fd, room.address + position, room.bytes.remaining(), Sockets.MSG_DONTWAIT);
        if (result > 0) {
            room.bytes.position(position + result);
            received(room);
        } else if (result == 0) {
            drained = true;
            endOfInput();
        } else if (result == -Errno.EAGAIN) {
            drained = true;
        } else if (result != -Errno.EINTR) {
            fail(failure("recv", result));
            return false;
        }
        return !drained;
    }

    /** Before the handler waits for a reply: the connection is others' from then on. */
    @Override
    protected ByteBuffer bytesInHand() {
        long piece = inHand;
        inHand = InboundQueue.NOTHING;
        return piece == InboundQueue.NOTHING ? super.bytesInHand() : buffers.view(piece);
    }

    @Override
    protected void noteInputReady(int ready) {
        if ((ready & DRAIN) != 0) {
            drainWanted = true;
            requests.endReceiving();
        }
    }

    @Override
    protected boolean inputDrained() {
        return drained && present == InboundQueue.NOTHING && requests.inbound().size() == 0; // the end may stand there
    }

    @Override
    protected void interest(boolean input, boolean output) {
        if (input) {
            if (!requests.isReceiving() && (!drainWanted || drained)) {
                requests.receive();
            }
        } else if (!requests.inbound().isEmpty()) {
            requests.endReceiving(); // it was not known whether there would be more
        }
    }

    // ---- output ----

    @Override
    public boolean sendsAtOnce() {
        return false;
    }

    @Override
    public int send(long address, int count) {
        return 0;
    }

    @Override
    public int sendQueued(OutboundQueue queue) throws IOException {
        return requests.sendQueued(queue);
    }

    @Override
    public void submit() {
        shard.handleSet().submitRequests();
    }

    /**
     * The only thread: a request has sent so many bytes of the queue.
     *
     * @return true: that was all, and nobody waits for it; false: to be dispatched
     */
    boolean tookAll(int count) {
        return outputTaken(count);
    }

    /** Closing: what the socket has not taken, with the memory that the kernel may be reading. */
    OutboundQueue takeUnsent() {
        return takeOutboundQueue();
    }

    @Override
    protected void sendEndOfOutput() {
        int result = kernel.shutdown(fd, Sockets.SHUT_WR);
        if (result < 0 && result != -Errno.ENOTCONN) {
            fail(failure("shutdown", result));
            handle.post(Ready.READ); // comes round to close it
        }
    }

    // ---- beginning and end ----

    @Override
    protected void resetOnClose() {
        requests.discardOutput();
        int result = shard.sockets().resetOnClose(fd);
        if (result < 0) {
            shard.handleSet().failures().log("resetting " + this, failure("setsockopt SO_LINGER", result));
        }
    }

    @Override
    protected boolean finishConnecting() {
        int error = shard.sockets().pendingError(fd);
        if (error != 0) {
            fail(Errno.exception("connect to " + remoteAddress, -error));
            return false;
        }
        try {
            localAddress = shard.sockets().localAddress(fd);
        } catch (IOException gone) {
            fail(gone);
            return false;
        }
        connecting.complete(this);
        return true;
    }

    @Override
    protected void neverOpened(Throwable cause) {
        if (connecting != null) {
            connecting.completeExceptionally(
                    cause != null ? cause : new IOException("connecting to " + remoteAddress + " was given up"));
        }
    }

    @Override
    protected void descriptorReleased() {
        shard.streamClosed();
    }

    @Override
    public SocketAddress remoteAddress() {
        return remoteAddress;
    }

    @Override
    public SocketAddress localAddress() {
        return localAddress;
    }
}
