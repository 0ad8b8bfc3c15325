package org.cabrank.descriptor.spi;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.cabrank.descriptor.DescriptorSet;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.Sockets;
import org.cabrank.lf.Handle;
import org.cabrank.lf.stream.Connection;
import org.cabrank.lf.stream.ConnectionHandler;
import org.cabrank.lf.stream.StreamSettings;
import org.cabrank.lf.stream.spi.ChunkPool;
import org.cabrank.lf.stream.spi.StreamConnection;
import org.cabrank.lf.stream.spi.StreamContext;
import org.cabrank.lf.stream.spi.StreamShard;

/** One descriptor set with its listeners and connections. A reactor adds how they are made. */
public abstract class SocketShard implements StreamShard {
    /** Named bound: what a chunk of an outbound queue holds. */
    private static final int CHUNK_BYTES = 16 << 10;

    private final Kernel kernel;
    private final SocketOps sockets;
    private final DescriptorSet set;
    private final StreamContext context;
    private final List<SocketListener> listeners = new CopyOnWriteArrayList<>();
    private final AtomicInteger streams = new AtomicInteger();

    /** Those of them that this side has asked for, and that nobody has been told the outcome of. */
    private final AtomicInteger connectsUnderWay = new AtomicInteger();

    /** Those of all shards, once the shard is one of several. */
    private AcceptPauses acceptPauses = new AcceptPauses();

    /** Set before {@link #drain} looks at what there is: what comes later looks here. */
    private volatile boolean draining;

    protected SocketShard(DescriptorSet set, StreamSettings settings) {
        this.kernel = set.kernel();
        this.sockets = new SocketOps(kernel);
        this.set = set;
        this.context = new StreamContext(
                set, settings.limits(), settings.timeouts(), new ChunkPool(CHUNK_BYTES, kernel::addressOf));
    }

    // ---- what a reactor adds ----

    /** @param exclusive the socket stands in several handle sets, one of which is to be woken */
    protected abstract SocketListener newListener(
            ListeningSocket socket, boolean exclusive, Supplier<ConnectionHandler> handlers);

    /**
     * Makes a connection and registers it.
     *
     * @throws IOException when it cannot be registered; the descriptor is the caller's then
     */
    protected abstract StreamConnection startConnection(NewStream stream) throws IOException;

    /** Once, before the shard serves: its number, and what it has in common with the others. */
    final void join(List<SocketShard> all, int number, AcceptPauses ofAll) {
        context.join(all, number);
        acceptPauses = ofAll;
    }

    final AcceptPauses acceptPauses() {
        return acceptPauses;
    }

    // ---- for reactors ----

    public final Kernel kernel() {
        return kernel;
    }

    public final SocketOps sockets() {
        return sockets;
    }

    @Override
    public DescriptorSet handleSet() {
        return set;
    }

    @Override
    public final StreamContext context() {
        return context;
    }

    final SocketListener listen(
            ListeningSocket socket, boolean exclusive, ShardRouter router, Supplier<ConnectionHandler> handlers)
            throws IOException {
        SocketListener listener = newListener(socket, exclusive, handlers);
        listener.routeBy(router);
        streams.incrementAndGet();
        listeners.add(listener);
        try {
            listener.start();
        } catch (IOException | RuntimeException refused) {
            listenerClosed(listener);
            throw refused;
        }
        if (draining) {
            listener.drain();
        }
        return listener;
    }

    final void listenerClosed(SocketListener listener) {
        listeners.remove(listener);
        streams.decrementAndGet();
    }

    /** A connection that a listener of this shard or another has accepted; the thread may be one of the other's. */
    final void admit(int fd, SocketAddress remote, SocketAddress local, ConnectionHandler handler) throws IOException {
        start(NewStream.accepted(fd, remote, local, handler));
    }

    private void start(NewStream stream) throws IOException {
        streams.incrementAndGet();
        StreamConnection connection;
        try {
            connection = startConnection(stream);
        } catch (Throwable refused) { // an error, too: a drain would wait for a connection that never was
            streams.decrementAndGet();
            throw refused;
        }
        if (draining) {
            connection.drain();
        }
    }

    /** A connection of another shard is registered in this one, and leaves that one next. */
    public final void streamArrived(StreamConnection connection) {
        streams.incrementAndGet();
        if (draining) {
            connection.drain();
        }
    }

    /** A connection has left for another shard. */
    public final void streamLeft() {
        streams.decrementAndGet();
    }

    @Override
    public final List<Connection> connections() {
        return set.handles().stream()
                .map(Handle::handler)
                .filter(Connection.class::isInstance)
                .map(Connection.class::cast)
                .toList();
    }

    /** The descriptor of a connection was given back. */
    public final void streamClosed() {
        streams.decrementAndGet();
        acceptPauses.descriptorFreed();
    }

    @Override
    public final CompletableFuture<Connection> connect(SocketAddress address, ConnectionHandler handler) {
        CompletableFuture<Connection> connecting = new CompletableFuture<>();
        int fd = sockets.streamSocket(address);
        if (fd < 0) {
            connecting.completeExceptionally(Errno.exception("connect to " + address + ": socket", fd));
            return connecting;
        }
        try {
            connect(fd, address, handler, connecting);
        } catch (IOException | RuntimeException refused) {
            set.closeQuietly(fd);
            connecting.completeExceptionally(refused);
        }
        return connecting;
    }

    private void connect(
            int fd, SocketAddress address, ConnectionHandler handler, CompletableFuture<Connection> connecting)
            throws IOException {
        if (address instanceof InetSocketAddress) {
            Errno.check("setsockopt TCP_NODELAY", sockets.option(fd, Sockets.IPPROTO_TCP, Sockets.TCP_NODELAY, 1));
        }
        int result = sockets.connect(fd, address);
        // Interrupted, it goes on by itself (connect(2)), and asking again would only be told EALREADY.
        if (result < 0 && result != -Errno.EINPROGRESS && result != -Errno.EINTR) {
            throw Errno.exception("connect to " + address, result);
        }
        // With the registration, not after it: the connection might stand by then, and have a timer of its own.
        long timeoutNs = context.connectTimeoutNs();
        long deadlineNs = timeoutNs == 0 ? Handle.NO_DEADLINE : set.nanoTime() + timeoutNs;
        connectsUnderWay.incrementAndGet();
        connecting.whenComplete((connection, refused) -> connectsUnderWay.decrementAndGet());
        start(NewStream.requested(fd, address, handler, connecting, deadlineNs));
    }

    @Override
    public final void drain() {
        draining = true;
        listeners.forEach(SocketListener::drain);
        for (Handle handle : set.handles()) {
            if (handle.handler() instanceof StreamConnection connection) {
                connection.drain();
            }
        }
    }

    /** The pool has come to its end: what still stands is reset, so that nobody takes half an answer for a whole one. */
    public void close() {
        for (Handle handle : set.handles()) {
            if (handle.handler() instanceof StreamConnection connection) {
                connection.abandon();
            }
        }
        set.close();
    }

    @Override
    public final int streamCount() {
        return streams.get();
    }

    /**
     * Connections that peers have made and no thread of the shard has come to yet, about: what is counted here changes
     * meanwhile.
     */
    final long notOpenedCount() {
        return streams.get() - listeners.size() - connectsUnderWay.get() - context.standingCount();
    }
}
