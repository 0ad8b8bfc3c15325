package org.cabrank.epoll;

import java.io.IOException;
import java.net.SocketAddress;
import java.util.concurrent.CompletableFuture;
import org.cabrank.descriptor.DescriptorOwner;
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

/** A stream connection that is read and written by the thread that processes it. */
final class EpollConnection extends StreamConnection {
    private final Kernel kernel;
    private final EpollShard shard;
    private final int fd;
    private final SocketAddress remoteAddress;
    private final EpollHandle handle;
    private final boolean armsOneByOne;

    /** Who waits for a connection that this side makes; null when the peer made it. */
    private final CompletableFuture<Connection> connecting;

    private SocketAddress localAddress;

    /** The kernel may have input: an edge was seen since it last said that there is none. */
    private boolean inputReady;

    /** The end of the input has been reported: only a read that finds it, or EAGAIN, shows that all is read. */
    private boolean endReported;

    EpollConnection(
            EpollShard shard,
            int fd,
            SocketAddress remoteAddress,
            SocketAddress localAddress,
            ConnectionHandler handler,
            CompletableFuture<Connection> connecting) {
        super(handler, shard.context());
        this.kernel = shard.kernel();
        this.shard = shard;
        this.fd = fd;
        this.remoteAddress = remoteAddress;
        this.localAddress = localAddress;
        this.connecting = connecting;
        // Edges cost nothing while nobody waits for them, so both are watched; armed one by one they must be wanted.
        this.armsOneByOne = shard.armsOneByOne();
        int interest = armsOneByOne && connecting == null ? Ready.READ : Ready.READ | Ready.WRITE;
        this.handle = new EpollHandle(shard.handleSet(), fd, interest, shell(this), DescriptorOwner.SET, false, 0);
        bind(handle);
    }

    /** Lets the compiler see that the handler is used only when this is complete. */
    private static EventHandler shell(EpollConnection connection) {
        return connection;
    }

    EpollHandle epollHandle() {
        return handle;
    }

    @Override
    protected boolean receive(ThreadBuffers buffers) throws Exception {
        if (!inputReady || !wantsInput()) {
            return false;
        }
        Chunk room = receiveRoom(buffers);
        int position = room.bytes.position();
        int count = room.bytes.remaining();
        int result = kernel.recv(fd, room.address + position, count, 0);
        if (result > 0) {
            room.bytes.position(position + result);
            // A stream socket that gives less than it was asked for has no more (epoll(7)): a call saved.
            inputReady = result == count || endReported;
            received(room);
        } else if (result == 0) {
            inputReady = false;
            endOfInput();
        } else if (result == -Errno.EAGAIN) {
            inputReady = false;
        } else if (result != -Errno.EINTR) {
            fail(failure("recv", result));
        }
        return inputReady;
    }

    private IOException failure(String call, int result) {
        return Errno.exception(this + ": " + call, result);
    }

    @Override
    protected void noteInputReady(int ready) {
        int ended = Ready.INPUT_CLOSED | Ready.HANGUP | Ready.ERROR;
        inputReady |= (ready & (Ready.READ | Ready.TIMER | DRAIN | ended)) != 0;
        endReported |= (ready & ended) != 0;
    }

    @Override
    protected boolean inputDrained() {
        return !inputReady;
    }

    @Override
    public boolean sendsAtOnce() {
        return true;
    }

    @Override
    public int sendQueued(OutboundQueue queue) throws IOException {
        return send(queue.headAddress(), queue.headBytes());
    }

    @Override
    public void submit() {
        // what is sent is with the kernel already
    }

    @Override
    public int send(long address, int count) throws IOException {
        int sent = 0;
        while (sent < count) {
            int result = kernel.send(fd, address + sent, count - sent, Sockets.MSG_NOSIGNAL);
            if (result >= 0) {
                sent += result;
            } else if (result == -Errno.EAGAIN) {
                break;
            } else if (result != -Errno.EINTR) {
                throw failure("send", result);
            }
        }
        return sent;
    }

    @Override
    protected void sendEndOfOutput() {
        int result = kernel.shutdown(fd, Sockets.SHUT_WR);
        if (result < 0 && result != -Errno.ENOTCONN) {
            fail(failure("shutdown", result));
            handle.post(Ready.READ); // comes round to close it
        }
    }

    @Override
    protected void resetOnClose() {
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
    protected void interest(boolean input, boolean output) {
        if (armsOneByOne) {
            try {
                shard.handleSet().interest(handle, (input ? Ready.READ : 0) | (output ? Ready.WRITE : 0));
            } catch (IOException refused) {
                handle.closeBecauseOf(refused);
            }
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
