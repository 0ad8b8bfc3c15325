package org.cabrank.descriptor.spi;

import java.io.IOException;
import java.net.SocketAddress;
import java.util.concurrent.CompletableFuture;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.Sockets;
import org.cabrank.lf.Handle;
import org.cabrank.lf.Ready;
import org.cabrank.lf.stream.Connection;
import org.cabrank.lf.stream.spi.StreamConnection;

/**
 * A stream connection over a socket: how it is made, ended and named, and which shard it belongs to. A reactor adds how bytes
 * are received and sent, and how the kernel is asked for it. By the claim holder, but for the addresses.
 */
public abstract class SocketConnection extends StreamConnection {
    protected final Kernel kernel;
    protected final int fd;

    private final SocketAddress remoteAddress;

    /** Who waits for a connection that this side makes; null when the peer made it. */
    private final CompletableFuture<Connection> connecting;

    /** Another when the connection is moved. */
    private SocketShard shard;

    private SocketAddress localAddress;

    protected SocketConnection(SocketShard shard, NewStream stream) {
        super(stream.handler(), shard.context(), stream.terms());
        this.kernel = shard.kernel();
        this.fd = stream.fd();
        this.remoteAddress = stream.remote();
        this.connecting = stream.connecting();
        this.shard = shard;
        this.localAddress = stream.local();
    }

    /** A call on the socket has failed, for {@link #fail}. */
    protected final IOException failure(String call, int result) {
        return Errno.exception(this + ": " + call, result);
    }

    @Override
    protected int pendingError() {
        return shard.sockets().pendingError(fd);
    }

    @Override
    protected final IOException endedBy(int error) {
        return failure("the connection has ended", -error);
    }

    @Override
    protected final boolean finishConnecting() {
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
        return true;
    }

    @Override
    protected final boolean announceOpen() {
        if (connecting == null || connecting.complete(this)) {
            return true;
        }
        fail(new IOException("connecting to " + remoteAddress + " was given up: the future is complete already"));
        return false;
    }

    @Override
    protected final void neverOpened(Throwable cause) {
        if (connecting != null) {
            connecting.completeExceptionally(
                    cause != null ? cause : new IOException("connecting to " + remoteAddress + " was given up"));
        }
    }

    @Override
    protected final void sendEndOfOutput() {
        int result = kernel.shutdown(fd, Sockets.SHUT_WR);
        if (result < 0 && result != -Errno.ENOTCONN) {
            fail(failure("shutdown", result));
            handle().post(Ready.READ); // comes round to close it
        }
    }

    @Override
    protected void resetOnClose() {
        int result = shard.sockets().resetOnClose(fd);
        if (result < 0) {
            shard.handleSet().failures().log("resetting " + this, failure("setsockopt SO_LINGER", result));
        }
    }

    /**
     * For {@link #moveTo}, when the handle is registered with the other shard's set: the connection belongs to that shard from
     * now on.
     */
    protected final void movedTo(SocketShard target, Handle other) {
        SocketShard former = shard;
        shard = target;
        moved(other, target.context());
        target.streamArrived(this);
        former.streamLeft();
    }

    @Override
    protected final void descriptorReleased() {
        terms().quota().giveBack(remoteAddress);
        shard.streamClosed();
    }

    @Override
    public final SocketAddress remoteAddress() {
        return remoteAddress;
    }

    @Override
    public final SocketAddress localAddress() {
        return localAddress;
    }
}
