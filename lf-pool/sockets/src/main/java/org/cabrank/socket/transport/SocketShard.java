package org.cabrank.socket.transport;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Kernel;
import org.cabrank.lf.failure.StackRoom;
import org.cabrank.lf.handle.Handle;
import org.cabrank.socket.DescriptorHandle;
import org.cabrank.socket.DescriptorSet;
import org.cabrank.socket.calls.EncodedOptions;
import org.cabrank.socket.calls.SocketOps;
import org.cabrank.stream.ConnectOptions;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.StreamTimeouts;
import org.cabrank.stream.transport.ChunkPool;
import org.cabrank.stream.transport.ConnectionTerms;
import org.cabrank.stream.transport.ReactorTotals;
import org.cabrank.stream.transport.StreamConnection;
import org.cabrank.stream.transport.StreamContext;
import org.cabrank.stream.transport.StreamCount;
import org.cabrank.stream.transport.StreamSettings;
import org.cabrank.stream.transport.StreamShard;

/** A descriptor set with its listeners and connections. A backend adds the creation of listeners and connections. */
public abstract class SocketShard implements StreamShard {
    private static final int CHUNK_BYTES = 16 << 10;

    private final Kernel kernel;
    private final SocketOps sockets;
    private final DescriptorSet set;
    private final StreamContext context;

    private final StreamTimeouts connectTimeouts;

    /** Terms of an outgoing connection if its options have no terms. Replaced when the shard joins a reactor. */
    private ConnectionTerms connectTerms;

    private final List<SocketListener> listeners = new CopyOnWriteArrayList<>();
    private final AtomicInteger streams = new AtomicInteger();

    private final AtomicInteger connectsUnderWay = new AtomicInteger();

    /** Replaced by the pauses of all shards when the shard joins a reactor. */
    private AcceptPauses acceptPauses = new AcceptPauses();

    /** Set before {@link #drain} checks listeners and connections. Listeners and connections that are added later check this field. */
    private volatile boolean draining;

    protected SocketShard(DescriptorSet set, StreamSettings settings) {
        this.kernel = set.kernel();
        this.sockets = new SocketOps(kernel);
        this.set = set;
        this.context = new StreamContext(set, settings.limits(), new ChunkPool(CHUNK_BYTES, kernel::addressOf));
        this.connectTimeouts = settings.timeouts().withIdle(StreamTimeouts.NEVER);
        this.connectTerms = ConnectionTerms.of(connectTimeouts, context.totals().connections());
    }

    // ---- added by a backend ----

    protected abstract SocketListener newListener(ListeningSocket socket, boolean exclusive, Accepting accepting);

    /** Makes and registers a connection. If this throws, the caller still owns the descriptor. */
    protected abstract StreamConnection startConnection(NewStream stream) throws IOException;

    /** Called once before the shard serves. Sets its number and the objects that all shards share. */
    final void join(List<SocketShard> all, int number, AcceptPauses ofAll, ReactorTotals totals) {
        context.join(all, number, totals);
        connectTerms = connectTerms.withQuota(totals.connections());
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

    final SocketListener listen(ListeningSocket socket, boolean exclusive, ShardRouter router, Accepting accepting)
            throws IOException {
        SocketListener listener = newListener(socket, exclusive, accepting);
        listener.routeBy(router);
        streams.incrementAndGet();
        listeners.add(listener);
        try {
            listener.start();
        } catch (Throwable refused) {
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

    /** Admits a connection that a listener of any shard has accepted. Called on a thread of the accepting shard. */
    final void admit(
            int fd,
            SocketAddress remote,
            SocketAddress local,
            AcceptedAddresses accepted,
            ConnectionHandler handler,
            ConnectionTerms terms)
            throws IOException {
        start(NewStream.accepted(fd, remote, local, accepted, handler, terms));
    }

    private StreamConnection start(NewStream stream) throws IOException {
        streams.incrementAndGet();
        StreamConnection connection;
        try {
            connection = startConnection(stream);
        } catch (Throwable refused) { // even an error: a drain would wait for a connection that never existed
            streams.decrementAndGet();
            throw refused;
        }
        if (draining) {
            connection.drain();
        }
        return connection;
    }

    /** Called when a connection of another shard is registered in this shard. After this call the connection leaves its former shard. */
    public final void streamArrived(StreamConnection connection) {
        streams.incrementAndGet();
        if (draining) {
            connection.drain();
        }
    }

    public final void streamLeft() {
        streams.decrementAndGet();
    }

    @Override
    public final void cutOff() {
        draining = true;
        listeners.forEach(SocketListener::cutOff);
        for (Handle handle : set.handles()) {
            if (handle.handler() instanceof StreamConnection && handle instanceof DescriptorHandle descriptor) {
                DescriptorSet.whileOpen(descriptor, sockets::cutOff);
            }
        }
    }

    @Override
    public final List<Connection> connections() {
        return set.handles().stream()
                .map(Handle::handler)
                .filter(Connection.class::isInstance)
                .map(Connection.class::cast)
                .toList();
    }

    public final void streamClosed() {
        streams.decrementAndGet();
        acceptPauses.descriptorFreed();
    }

    @Override
    public final CompletableFuture<Connection> connect(
            SocketAddress address, ConnectOptions options, ConnectionHandler handler) {
        StackRoom.require(); // an overflow of the caller's stack would lose the descriptor
        CompletableFuture<Connection> connecting = new CompletableFuture<>();
        int fd = -1;
        try {
            requireResolved(address);
            fd = Errno.check("connect to " + address + ": socket", sockets.streamSocket(address));
            connect(fd, address, options, handler, connecting);
        } catch (Throwable refused) { // even an error, because the descriptor would stay open
            if (fd >= 0) {
                set.closeQuietly(fd);
            }
            connecting.completeExceptionally(
                    refused instanceof IllegalArgumentException
                            ? new IOException("connect to " + address + ": " + refused.getMessage(), refused)
                            : refused);
        }
        return connecting;
    }

    private ConnectionTerms terms(ConnectOptions options) {
        if (options.timeouts() == null && options.descriptorsMax() == 0) {
            return connectTerms;
        }
        StreamTimeouts wanted = options.timeouts() == null ? connectTimeouts : options.timeouts();
        return ConnectionTerms.of(wanted, connectTerms.quota(), options.descriptorsMax());
    }

    private static void requireResolved(SocketAddress address) throws UnknownHostException {
        if (address instanceof InetSocketAddress inet && inet.isUnresolved()) {
            throw new UnknownHostException("connect to " + address + ": the host name is not resolved; look it up"
                    + " before, for instance with InetAddress.getByName");
        }
    }

    private void takePlace(SocketAddress address) throws IOException {
        if (!context.totals().connections().tryTake(null)) {
            context.count(StreamCount.OVER_LIMIT);
            throw new IOException("connect to " + address + ": the reactor has "
                    + context.totals().connections().max()
                    + " connections, the limit; close some, or raise StreamLimits.connectionsMax or, if that is 0, the limit of"
                    + " descriptors (ulimit -n)");
        }
    }

    private void setOptions(int fd, SocketAddress address, ConnectOptions options) throws IOException {
        EncodedOptions encoded = EncodedOptions.ofConnecting(options.socketOptions(), address);
        try {
            encoded.set(sockets, fd);
        } catch (IOException refused) {
            throw new IOException("connect to " + address + ": " + refused.getMessage(), refused);
        }
    }

    private void connect(
            int fd,
            SocketAddress address,
            ConnectOptions options,
            ConnectionHandler handler,
            CompletableFuture<Connection> connecting)
            throws IOException {
        SharedListening.requireUnix(address, options.descriptorsMax());
        takePlace(address);
        boolean started = false;
        try {
            StreamConnection made = startConnecting(fd, address, options, handler, connecting);
            started = true; // the connection frees its place itself
            connecting.whenComplete((connection, refused) -> {
                if (connection != made) {
                    made.giveUpConnecting();
                }
            });
        } finally {
            if (!started) {
                context.totals().connections().giveBack(null);
            }
        }
    }

    private StreamConnection startConnecting(
            int fd,
            SocketAddress address,
            ConnectOptions options,
            ConnectionHandler handler,
            CompletableFuture<Connection> connecting)
            throws IOException {
        setOptions(fd, address, options);
        if (options.localAddress() != null) {
            Errno.check(
                    "connect to " + address + ": bind to " + options.localAddress(),
                    sockets.bind(fd, options.localAddress()));
        }
        ConnectionTerms terms = terms(options);
        int result = sockets.connect(fd, address);
        // An interrupted connect continues in the kernel (connect(2)); a second call would only return EALREADY.
        if (result < 0 && result != -Errno.EINPROGRESS && result != -Errno.EINTR) {
            throw Errno.exception("connect to " + address, result);
        }
        // The deadline is set together with the registration. A later call might replace the timer of an established
        // connection.
        long timeoutNs = terms.connectNs();
        long deadlineNs = timeoutNs == 0 ? Handle.NO_DEADLINE : set.nanoTime() + timeoutNs;
        connectsUnderWay.incrementAndGet();
        connecting.whenComplete((connection, refused) -> connectsUnderWay.decrementAndGet());
        return start(NewStream.requested(fd, address, handler, terms, connecting, deadlineNs));
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

    /** Called after the pool has ended. Resets the remaining connections, so that no peer mistakes half an answer for a complete answer. */
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

    final long notOpenedCount() {
        return streams.get() - listeners.size() - connectsUnderWay.get() - context.standingCount();
    }
}
