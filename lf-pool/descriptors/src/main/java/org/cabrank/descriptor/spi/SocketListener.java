package org.cabrank.descriptor.spi;

import java.io.IOException;
import java.net.SocketAddress;
import java.util.Objects;
import java.util.function.Supplier;
import org.cabrank.descriptor.DescriptorHandle;
import org.cabrank.kernel.Sockets;
import org.cabrank.lf.EventHandler;
import org.cabrank.lf.Handle;
import org.cabrank.lf.Ready;
import org.cabrank.lf.stream.ConnectionHandler;

/**
 * Accepts connections for one shard. A reactor adds how the kernel is asked.
 *
 * <p>Its handle is concurrent: the kernel gives each accept(2) a connection of its own, and their order means nothing, so a
 * thread that is held up (by a service's supplier of handlers) holds up nobody else's connections.
 */
public abstract class SocketListener implements EventHandler {
    /** Posted: accept what is there, then close. */
    protected static final int DRAIN = Ready.POSTED_3;

    /** Named bound: connections accepted in one go, before the others have their turn. */
    protected static final int ACCEPTS_MAX = 64;

    private final SocketShard shard;
    private final ListeningSocket socket;
    private final Supplier<ConnectionHandler> handlers;
    private final ThreadLocal<PeerAddress> peers;

    private ShardRouter router = ShardRouter.OWN;
    private DescriptorHandle handle;
    private AcceptPause pause;

    protected SocketListener(SocketShard shard, ListeningSocket socket, Supplier<ConnectionHandler> handlers) {
        this.shard = shard;
        this.socket = socket;
        this.handlers = handlers;
        this.peers = ThreadLocal.withInitial(() -> new PeerAddress(shard.kernel()));
    }

    /** Once, before {@link #start}. */
    protected final void bind(DescriptorHandle concurrentHandle) {
        handle = concurrentHandle;
        pause = new AcceptPause(handle, socket.address(), shard.acceptPauses());
    }

    /** Before {@link #start}: who serves what this accepts. */
    final void routeBy(ShardRouter whoServes) {
        router = whoServes;
    }

    /** Registers the handle. */
    protected abstract void start() throws IOException;

    protected final DescriptorHandle handle() {
        return handle;
    }

    protected final ListeningSocket socket() {
        return socket;
    }

    protected final AcceptPause pause() {
        return pause;
    }

    /** The calling thread's. */
    protected final PeerAddress peer() {
        return peers.get();
    }

    /** accept4(2): the descriptor, or -errno. */
    protected final int accept(PeerAddress peer) {
        peer.prepare();
        return shard.kernel()
                .accept4(
                        socket.fd(),
                        peer.address(),
                        peer.lengthAddress(),
                        Sockets.SOCK_NONBLOCK | Sockets.SOCK_CLOEXEC);
    }

    final void drain() {
        handle.post(DRAIN);
    }

    /** Any thread: accepts nothing more. */
    final void close() {
        handle.close();
    }

    /**
     * A connection was accepted from {@code peer}, for this shard or another. Whatever goes wrong concerns it alone: its
     * descriptor goes back (so it does if the other shard is closed), and the listener goes on.
     */
    protected final void admit(int fd, PeerAddress peer) {
        try {
            SocketAddress remote = peer.decode();
            SocketAddress local = socket.addressOfAccepted();
            SocketAddress known = local != null ? local : shard.sockets().localAddress(fd);
            router.route(shard, fd, remote).admit(fd, remote, known, handler());
        } catch (Throwable refused) {
            shard.handleSet().closeQuietly(fd);
            if (refused instanceof VirtualMachineError fatal) {
                throw fatal;
            }
            shard.handleSet().failures().log("a connection that was accepted could not be served", refused);
        }
    }

    private ConnectionHandler handler() {
        return Objects.requireNonNull(handlers.get(), "the supplier of handlers has answered null");
    }

    @Override
    public final void handleClosed(Handle own, Throwable cause) {
        shard.acceptPauses().remove(pause);
        socket.release();
        shard.listenerClosed(this);
    }
}
