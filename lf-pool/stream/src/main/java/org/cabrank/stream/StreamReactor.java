package org.cabrank.stream;

import java.io.IOException;
import java.net.SocketAddress;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.cabrank.lf.LeaderFollowersPool;
import org.cabrank.lf.PoolConfig;
import org.cabrank.lf.ShardedLeaderFollowers;
import org.cabrank.lf.Watchdog;
import org.cabrank.lf.handle.HandleSet;
import org.cabrank.lf.observe.LatencyHistogram;
import org.cabrank.lf.observe.Liveness;
import org.cabrank.stream.transport.ChannelFile;
import org.cabrank.stream.transport.LimitedHandlers;
import org.cabrank.stream.transport.StandingConnections;
import org.cabrank.stream.transport.StreamBackend;
import org.cabrank.stream.transport.StreamSettings;
import org.cabrank.stream.transport.StreamShard;
import org.cabrank.stream.transport.SuppliedHandlers;

/**
 * Shards of a backend, each served by a Leader/Followers pool, that listen and connect. Any thread may call any method.
 *
 * <p>A shard that cannot continue (its kernel calls fail, its threads are lost, its listener is broken) ends the whole reactor: connections
 * are reset, {@link ConnectionHandler#closed} gets an IOException with the failure as its cause, listeners are closed, {@link
 * Builder#onFailure} is called and {@link #awaitTermination} throws. Otherwise a service would look healthy while some clients hang.
 */
public final class StreamReactor implements AutoCloseable {
    private final String name;
    private final Backend.Opened opened;
    private final StreamBackend backend;
    private final ShardedLeaderFollowers pools;
    private final Oversight oversight = new Oversight();
    private final Histograms histograms;
    private final List<Listener> listeners = new CopyOnWriteArrayList<>();
    private final Duration drainGrace;
    private final Duration drainTimeout;
    private final Duration handlerTimeout;
    private final AtomicInteger nextShard = new AtomicInteger();
    private final AtomicBoolean closing = new AtomicBoolean();
    private final CountDownLatch terminated = new CountDownLatch(1);
    private final ReactorFailure failure;
    private final FileThreads fileThreads;

    /** The thread that ends the reactor. It makes the last calls of handlers and of the failure listener, which may close the reactor. */
    private volatile Thread endingThread;

    StreamReactor(ReactorBuilder<?> builder) throws IOException {
        this.name = builder.name;
        this.fileThreads = new FileThreads(builder.name, builder.fileExecutor);
        this.drainTimeout = builder.drainTimeout;
        this.drainGrace = builder.drainGrace.compareTo(drainTimeout) < 0 ? builder.drainGrace : drainTimeout;
        this.handlerTimeout = builder.handlerTimeout;
        ThreadPlacement placement = builder.plannedPlacement();
        this.opened = builder.backend.open(builder.settings(placement), BackendProvider.installed());
        this.backend = opened.backend();
        this.failure = new ReactorFailure(name, backend.shards(), builder.onFailure);
        for (int i = 0; i < backend.shards().size(); i++) {
            int shard = i;
            backend.shards().get(i).context().whenFailed(cause -> failure.of(shard, cause));
        }
        this.histograms = new Histograms(builder.jmx ? added -> oversight.manageHistogram(name, added) : added -> {});
        this.pools = startPools(builder, opened.settings(), placement);
        try {
            oversee(builder);
        } catch (Throwable refused) { // for want of memory, too
            oversight.close();
            pools.close();
            backend.close();
            throw refused;
        }
        failure.endBy(this::endBecauseOfFailure);
    }

    private ShardedLeaderFollowers startPools(
            ReactorBuilder<?> builder, StreamSettings settings, ThreadPlacement placement) {
        try {
            PoolConfig config = (settings.grows()
                            ? PoolConfig.growing(builder.name)
                            : PoolConfig.of(builder.name, settings.threadsPerShard()))
                    .withPromotion(builder.promotion)
                    .withOrder(builder.order)
                    .withWaiting(builder.waiting)
                    .withNestingMax(builder.nestingMax)
                    .withLatencyMeasured(builder.latencyMeasured)
                    .withThreadFactory(builder.threadFactory)
                    .withOnFailure(failure::ofPool);
            List<HandleSet> sets =
                    backend.shards().stream().map(StreamShard::handleSet).toList();
            ShardedLeaderFollowers started = builder.sharedThreads > 0
                    ? ShardedLeaderFollowers.sharing(sets, config, placement)
                    : ShardedLeaderFollowers.separate(sets, config, placement);
            started.start();
            return started;
        } catch (Throwable refused) { // for want of memory, too
            backend.close();
            throw refused;
        }
    }

    private void oversee(ReactorBuilder<?> builder) {
        if (builder.jmx) {
            oversight.manage(name, pools.pools(), builder.sharedThreads > 0);
            oversight.manageReactor(name, this, backend.shards());
        }
        histograms.addAll(builder.histograms);
        if (builder.watchdogLimit != null) {
            oversight.watch(Watchdog.start(builder.watchdogLimit), pools.pools());
        }
    }

    public static Builder builder() {
        return new Builder();
    }

    /**
     * Listens at {@code address} (TCP or Unix) in every shard. A reactor may listen at several addresses.
     *
     * @param handlers makes the handler of each connection; it may return the same handler each time
     * @return the listener, whose {@link Listener#address} has the port that the kernel chose
     * @throws IOException if the address is unavailable, with a message that names the cause and the remedy
     * @throws IllegalArgumentException if the supplier is of a protocol (frames, HTTP, the PROXY protocol) whose bounds exceed the limits
     */
    public Listener listen(SocketAddress address, ListenOptions options, Supplier<ConnectionHandler> handlers)
            throws IOException {
        requireLimits(handlers);
        return listen(address, options, new SuppliedHandlers(handlers));
    }

    /**
     * Listens as {@link #listen(SocketAddress, ListenOptions, Supplier)} does, with an acceptor that knows the addresses of each connection
     * and may refuse. A backend may have to ask the kernel for these addresses, one system call for each. A connection whose peer is gone
     * before the kernel has answered is closed, and counted as a failure to accept.
     */
    public Listener listen(SocketAddress address, ListenOptions options, ConnectionAcceptor acceptor)
            throws IOException {
        Objects.requireNonNull(address, "address");
        Objects.requireNonNull(options, "options");
        Objects.requireNonNull(acceptor, "acceptor");
        requireOpen();
        return untilClosed(backend.listen(address, options, acceptor));
    }

    /**
     * Listens in every shard with a socket that another program has opened: a descriptor that was inherited, for instance by socket
     * activation (sd_listen_fds(3): the first is 3), or received over a Unix socket. A socket that does not listen yet begins to, with
     * {@link ListenOptions#backlog}; the backlog of a socket that listens is unchanged.
     *
     * <p>The reactor owns the descriptor when this method has returned, makes it non-blocking and not inherited by children, and closes it
     * with the listener. Other processes may hold the same socket: so the reactor never shuts the socket down, shortens its backlog or
     * removes the file of a Unix socket. O_NONBLOCK and options of the socket also hold for those processes.
     *
     * @param fd descriptor of a bound stream socket, TCP or Unix
     * @throws IOException if the descriptor is unfit, with cause and remedy; the caller keeps the descriptor then
     * @throws IllegalArgumentException for {@link AcceptMode#REUSEPORT} and {@link AcceptMode#REUSEPORT_CPU} with several shards, each of
     *     which needs a socket of its own
     */
    public Listener listen(int fd, ListenOptions options, Supplier<ConnectionHandler> handlers) throws IOException {
        requireLimits(handlers);
        return listen(fd, options, new SuppliedHandlers(handlers));
    }

    private void requireLimits(Supplier<ConnectionHandler> handlers) {
        LimitedHandlers.requireFit(handlers, limits());
    }

    /** Listens as {@link #listen(int, ListenOptions, Supplier)} does, with an acceptor that may refuse. */
    public Listener listen(int fd, ListenOptions options, ConnectionAcceptor acceptor) throws IOException {
        Objects.requireNonNull(options, "options");
        Objects.requireNonNull(acceptor, "acceptor");
        requireOpen();
        return untilClosed(backend.listen(fd, options, acceptor));
    }

    private Listener untilClosed(Listener listener) {
        listeners.add(listener);
        listener.closed().thenRun(() -> listeners.remove(listener));
        return listener;
    }

    /** Returns the limits that the reactor was built with. */
    public StreamLimits limits() {
        return backend.shards().get(0).context().limits();
    }

    /** Returns the listeners that are not closed, in the order in which they were made. */
    public List<Listener> listeners() {
        return List.copyOf(listeners);
    }

    /** Connects with {@link ConnectOptions#DEFAULT}. */
    public CompletableFuture<Connection> connect(SocketAddress address, ConnectionHandler handler) {
        return connect(address, ConnectOptions.DEFAULT, handler);
    }

    /**
     * Connects to {@code address} (TCP or Unix). The future is completed by a pool thread before {@link ConnectionHandler#opened}, or fails
     * with an {@link IOException}, also for an address that is not resolved: then the handler is never called. Nor is it called when the
     * future is cancelled, or completed by anyone else, before the connection is established: the attempt ends then, and its descriptor is
     * closed. Actions that depend on the future and run on the pool thread may do what a callback may; while such an action waits for a
     * {@linkplain Connection#newReply reply}, {@link ConnectionHandler#opened} and later callbacks are called.
     *
     * @throws IllegalArgumentException when there is no shard of the number that {@code options} name
     * @throws IllegalStateException when the reactor is closed
     */
    public CompletableFuture<Connection> connect(
            SocketAddress address, ConnectOptions options, ConnectionHandler handler) {
        Objects.requireNonNull(address, "address");
        Objects.requireNonNull(options, "options");
        Objects.requireNonNull(handler, "handler");
        requireOpen();
        List<StreamShard> shards = backend.shards();
        if (options.shard() >= shards.size()) {
            throw new IllegalArgumentException(
                    "there are " + shards.size() + " shards, from 0, but none is " + options.shard());
        }
        int shard = options.shard() == ConnectOptions.ANY_SHARD
                ? Math.floorMod(nextShard.getAndIncrement(), shards.size())
                : options.shard();
        return shards.get(shard).connect(address, options, handler);
    }

    /**
     * Opens a {@link ReactorFile} for requests of connections, and blocks for that. The caller closes the file; its requests end with the
     * connections that have made them.
     *
     * @param options of READ, WRITE, APPEND, CREATE, CREATE_NEW, TRUNCATE_EXISTING, SYNC and DSYNC; READ unless WRITE or APPEND is given
     * @throws IOException when the file cannot be opened, with its name and the reason
     * @throws IllegalArgumentException for APPEND with READ or TRUNCATE_EXISTING
     * @throws UnsupportedOperationException for another option
     * @throws IllegalStateException when the reactor is closed
     */
    public ReactorFile openFile(Path path, OpenOption... options) throws IOException {
        Objects.requireNonNull(path, "path");
        Objects.requireNonNull(options, "options");
        requireOpen();
        Set<OpenOption> wanted = FileOptions.of(options);
        ReactorFile own = backend.openFile(path, wanted, fileThreads::executor);
        return own != null ? own : ChannelFile.open(path, wanted, fileThreads.executor());
    }

    private void requireOpen() {
        ReactorFailedException failed = failure.first();
        if (failed != null) {
            throw new IllegalStateException(failed.getMessage(), failed);
        }
        if (closing.get()) {
            throw new IllegalStateException("the reactor is closed");
        }
    }

    /** The backend that serves: {@code epoll} or {@code iouring}. */
    public String backendName() {
        return backend.name();
    }

    /** The backend and its kernel calls, for reports: such as {@code epoll, panama}; with {@link Backend#auto} the reason in brackets. */
    public String backendDescription() {
        return opened.description();
    }

    /** One pool for each shard, or the one that serves them all ({@link Builder#sharedThreads}). */
    public List<LeaderFollowersPool> pools() {
        return pools.pools();
    }

    /**
     * Returns the histogram of this name, for durations that the service measures, and makes it if there is none. JMX shows it beside the
     * pools until the reactor is closed ({@link Builder#jmx}); recording works afterwards, too. Keep the object instead of calling for each
     * duration. Throws {@link IllegalStateException} if the reactor has 256 histograms of other names.
     */
    public LatencyHistogram histogram(String histogramName) {
        return histograms.get(histogramName);
    }

    /** Returns the histograms of the reactor, in the order of their names. */
    public List<LatencyHistogram> histograms() {
        return histograms.all();
    }

    /**
     * Returns a snapshot of the connections of all shards: accepted and outgoing, including those being made or closed. Each is the object
     * that the callbacks of its service are given ({@link ConnectionHandler#decorated}). A connection that is moved twice during the call
     * may be missing. Costs a copy of all handles, so it is not for every request.
     */
    public List<Connection> connections() {
        return StandingConnections.of(backend.shards());
    }

    /**
     * Calls {@link Connection#close} on each connection of {@link #connections} for which {@code which} returns true, and returns their
     * number at once; connections that are accepted later stand. The calling thread runs {@code which}, outside of callbacks of other
     * connections. An exception of {@code which} reaches the caller; the remaining connections are not closed. TLS sends a close_notify.
     */
    public int closeConnections(Predicate<? super Connection> which) {
        return StandingConnections.close(connections(), which);
    }

    public StreamCounters counters() {
        return new ReactorCounts(backend.shards()).outcomes();
    }

    /** Connections and bytes of all shards, and their limits. */
    public ReactorUse use() {
        return new ReactorCounts(backend.shards()).use();
    }

    /**
     * Moves up to {@code movesMax} connections ({@link Connection#moveTo}) from shards that have many to shards that have few, until all
     * have equally many. The future gives the number of connections that have reached another shard, once no move is under way; a peer that
     * does not take what was written may delay it. Load does not count: a service that knows its busy connections moves those.
     */
    public CompletableFuture<Integer> rebalance(int movesMax) {
        requireOpen();
        return new Rebalancing(backend.shards()).begin(movesMax);
    }

    /**
     * The shards, for a transport of Cabrank that serves and counts its own connections in them.
     *
     * @hidden
     */
    @SuppressWarnings("exports")
    public List<StreamShard> shards() {
        return backend.shards();
    }

    /** Counts of each shard, in the order of the shards. */
    public List<ShardCounters> shardCounters() {
        return backend.shards().stream()
                .map(shard -> shard.context().counters())
                .toList();
    }

    /** Checks that every shard is served: see {@link LeaderFollowersPool#liveness}. Call it regularly, such as for each health page. */
    public Liveness liveness(Duration limit) {
        return pools.liveness(limit);
    }

    public ShardBalance balance() {
        return ShardBalance.of(shardCounters());
    }

    /**
     * Ends the reactor gracefully: accepts and answers what the kernel has received already, closes the connections, and waits for their
     * end up to the drain time-out; connections left then are reset, and reported in one log line. A second call waits for the first.
     * Connections whose reading is paused are closed when what was written has been sent. A handler that does not return holds peers and
     * addresses for {@link Builder#handlerTimeout} at most. Called in a handler, this method begins all that and returns at once, because
     * the end of the reactor waits for handlers.
     *
     * <p>A client whose connection the kernel had completed before the drain began is answered, or sees its end. Until the listeners are
     * closed, which is at once unless all threads are blocked in handlers, the kernel completes a connection only if no other waits to be
     * accepted: so with all threads blocked, at most one for each listening socket. Further clients repeat their handshake (TCP) or wait
     * (Unix sockets), are refused when the listeners are closed, and can go elsewhere. A socket that is shared with another process stays
     * open to clients, which that process accepts.
     *
     * <p>After a failure ({@link #failure}) nothing is drained: this method waits for the end, and takes the reactor off JMX.
     *
     * <p>In a shutdown hook the log lines of the drain may be lost, because {@code java.util.logging} may have closed its handlers before,
     * in a hook of its own. A service that needs these lines closes the reactor on the signal, or logs through another {@link
     * System.LoggerFinder}.
     */
    @Override
    public void close() {
        if (Thread.currentThread() == endingThread) {
            return;
        }
        boolean first = closing.compareAndSet(false, true);
        if (pools.shardOfCaller() >= 0) {
            if (first) {
                shutDownElsewhere();
            }
        } else if (first) {
            end(false);
        } else {
            awaitTerminationUninterruptibly();
            oversight.close();
        }
    }

    private void shutDownElsewhere() {
        boolean begun = false;
        try {
            new Thread(() -> end(false), name + "-close").start();
            begun = true;
        } finally {
            if (!begun) { // no thread, no memory: the next call tries again
                closing.set(false);
            }
        }
    }

    private void endBecauseOfFailure() {
        if (closing.compareAndSet(false, true)) { // otherwise the thread that closes finds the failure
            end(true);
        }
    }

    /** Calls the failure listener before waiting threads return, as they may end the process. JMX keeps its data if {@code observed}. */
    private void end(boolean observed) {
        endingThread = Thread.currentThread();
        try {
            new ReactorEnd(backend, pools, drainGrace, drainTimeout, handlerTimeout, failure).bringAbout();
        } finally { // even if the end has thrown, because no thread may wait indefinitely
            fileThreads.close();
            if (!failure.isNone()) { // the failure may have come after the drain began
                failure.notifyListener();
            }
            endingThread = null;
            if (!observed) {
                oversight.close();
            }
            terminated.countDown();
            failure.noteEnd();
        }
    }

    /**
     * Waits until {@link #close} or a failure has ended the reactor. Throws {@link ReactorFailedException} after a failure: connections
     * have been reset and listeners closed then, except those that a handler which does not return still holds.
     */
    public void awaitTermination() throws InterruptedException {
        failure.awaitEndOrEndIfPending();
        terminated.await();
        failure.throwIfAny();
    }

    /** The failure that has ended the reactor, or is ending it, with the shard; null: the reactor has not failed. */
    public ReactorFailedException failure() {
        return failure.first();
    }

    private void awaitTerminationUninterruptibly() {
        boolean interrupted = false;
        while (terminated.getCount() > 0) {
            try {
                failure.awaitEndOrEndIfPending();
                terminated.await();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Builder of a reactor. */
    public static final class Builder extends ReactorBuilder<Builder> {
        private Builder() {}

        /** @throws IOException if the backend is unavailable, with a message that names the cause and the remedy */
        public StreamReactor start() throws IOException {
            return new StreamReactor(this);
        }
    }
}
