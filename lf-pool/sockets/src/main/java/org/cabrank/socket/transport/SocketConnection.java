package org.cabrank.socket.transport;

import java.io.IOException;
import java.net.SocketAddress;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntConsumer;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.Sockets;
import org.cabrank.lf.Handle;
import org.cabrank.lf.Ready;
import org.cabrank.socket.DescriptorHandle;
import org.cabrank.socket.DescriptorSet;
import org.cabrank.stream.Connection;
import org.cabrank.stream.transport.StreamConnection;

/**
 * A stream connection over a socket: how it is made, ended and named, and which shard it belongs to. A reactor adds how bytes
 * are received and sent, and how the kernel is asked for it. By the claim holder, but for the addresses.
 */
public abstract class SocketConnection extends StreamConnection {
    protected final Kernel kernel;
    protected final int fd;

    /** For addresses that are null; null: this side has made the connection. */
    private final AcceptedAddresses accepted;

    /** Null until the kernel was asked. With the monitor of the handle. */
    private volatile SocketAddress remoteAddress;

    /** Who waits for a connection that this side makes; null when the peer made it. */
    private final CompletableFuture<Connection> connecting;

    /** Another when the connection is moved. */
    private SocketShard shard;

    /** Null until the kernel was asked, or the connection was made. Of an accepted connection with the monitor of the handle. */
    private volatile SocketAddress localAddress;

    protected SocketConnection(SocketShard shard, NewStream stream) {
        super(stream.handler(), shard.context(), stream.terms());
        this.kernel = shard.kernel();
        this.fd = stream.fd();
        this.accepted = stream.accepted();
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

    // ---- addresses; any thread ----

    @Override
    public final SocketAddress remoteAddress() {
        SocketAddress known = remoteOrNull();
        if (known == null) {
            accepted.noteAskedTooLate();
            return accepted.unknownPeer();
        }
        return known;
    }

    @Override
    public final SocketAddress localAddress() {
        SocketAddress known = localOrNull();
        return known != null || accepted == null ? known : accepted.listening();
    }

    private SocketAddress remoteOrNull() {
        if (remoteAddress == null) {
            ifOpen(this::askForRemote);
        }
        return remoteAddress; // another thread may have asked before the descriptor was closed
    }

    private SocketAddress localOrNull() {
        if (localAddress == null && accepted != null) {
            ifOpen(this::askForLocal);
        }
        return localAddress;
    }

    private void ifOpen(IntConsumer action) {
        DescriptorHandle own = (DescriptorHandle) handleVolatile();
        if (own != null) { // else the connection is being made
            DescriptorSet.whileOpen(own, action);
        }
    }

    private void askForRemote(int openFd) {
        if (remoteAddress == null) {
            remoteAddress = shard.sockets().peerOrNull(openFd);
        }
    }

    private void askForLocal(int openFd) {
        if (localAddress == null) {
            localAddress = shard.sockets().localOrNull(openFd);
        }
    }

    /**
     * Called by the claim holder before {@link #moveTo}, because another thread could find the former handle closed and not know the
     * next one yet.
     */
    protected final void rememberAddresses() {
        remoteOrNull();
        localOrNull();
    }

    /** Messages of the reactor do not count as questions of the service. */
    @Override
    protected final String peerInWords() {
        SocketAddress known = remoteOrNull();
        return known == null ? "a peer that is not known any more" : known.toString();
    }
}
