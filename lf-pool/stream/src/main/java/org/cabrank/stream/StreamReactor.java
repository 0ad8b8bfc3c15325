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
 * <p>If a shard cannot continue, because its kernel calls fail, its threads are lost or its listener is broken, the whole reactor ends.
 * Connections are reset, {@link ConnectionHandler#closed} gets an IOException with the failure as its cause, listeners are closed, {@link
 * Builder#onFailure} is called and {@link #awaitTermination} throws. A reactor that went on would look healthy while some clients hang.
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
     * @param handlers supplies the handler of each connection. It may return the same handler each time
     * @return the listener, whose {@link Listener#address} has the port that the kernel chose
     * @throws IOException if the address is unavailable. The message has a remedy
     * @throws IllegalArgumentException if a bound of the supplier's protocol (frames, HTTP, PROXY) exceeds the limits of the reactor
     */
    public Listener listen(SocketAddress address, ListenOptions options, Supplier<ConnectionHandler> handlers)
            throws IOException {
        requireLimits(handlers);
        return listen(address, options, new SuppliedHandlers(handlers));
    }

    /**
     * Listens as {@link #listen(SocketAddress, ListenOptions, Supplier)} does, but an acceptor gets the addresses of each connection and
     * may refuse the connection. To find an address may cost a system call. If the peer has gone by then, a failure to accept is counted.
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
     * Listens in every shard with a socket that another program has opened. An example is socket activation (sd_listen_fds(3): the first
     * descriptor is 3). {@link ListenOptions#backlog} has no effect if the socket already listens.
     *
     * <p>When this method has returned, the reactor owns the descriptor, and closes it with the listener. Because other processes may use
     * the same socket, the reactor never shuts the socket down, shortens its backlog or removes the file of a Unix socket. O_NONBLOCK,
     * which the reactor sets, and the options of the socket also apply in those processes.
     *
     * @param fd descriptor of a bound stream socket, TCP or Unix
     * @throws IOException if the descriptor is unfit. The caller then still owns it
     * @throws IllegalArgumentException for {@link AcceptMode#REUSEPORT} and {@link AcceptMode#REUSEPORT_CPU} with several shards
     */
    public Listener listen(int fd, ListenOptions options, Supplier<ConnectionHandler> handlers) throws IOException {
        requireLimits(handlers);
        return listen(fd, options, new SuppliedHandlers(handlers));
    }

    private void requireLimits(Supplier<ConnectionHandler> handlers) {
        LimitedHandlers.requireFit(handlers, limits());
    }

    /** Listens as {@link #listen(int, ListenOptions, Supplier)} does, but an acceptor may refuse a connection. */
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
     * Connects to {@code address} (TCP or Unix). A pool thread completes the future before it calls {@link ConnectionHandler#opened}. If
     * the connect fails or the address is not resolved, the future fails with an {@link IOException}, and the handler is never called. If
     * the caller first cancels or completes the future, the attempt ends, and the handler is never called.
     *
     * <p>A dependent action of the future that runs on the pool thread may do what a callback may do. While such an action waits for a
     * {@linkplain Connection#newReply reply}, {@link ConnectionHandler#opened} and later callbacks are called.
     *
     * @throws IllegalArgumentException if there is no shard with the number in {@code options}
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
     * Opens a {@link ReactorFile} for requests of connections. This method blocks. The caller closes the file.
     *
     * @param options READ, WRITE, APPEND, CREATE, CREATE_NEW, TRUNCATE_EXISTING, SYNC, DSYNC. Without WRITE and APPEND, READ is added
     * @throws IOException if the file cannot be opened
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

    /** Name of the backend: {@code epoll} or {@code iouring}. */
    public String backendName() {
        return backend.name();
    }

    /** The backend and its kernel calls, for example {@code epoll, panama}. With {@link Backend#auto} the reason follows in brackets. */
    public String backendDescription() {
        return opened.description();
    }

    /** Returns one pool for each shard. With {@link Builder#sharedThreads}, returns the one pool that serves all shards. */
    public List<LeaderFollowersPool> pools() {
        return pools.pools();
    }

    /**
     * Returns the histogram of this name for durations that the service measures; makes it if there is none. JMX shows it ({@link
     * Builder#jmx}). Keep the object, because this call is slow. Throws {@link IllegalStateException} if there are 256 others.
     */
    public LatencyHistogram histogram(String histogramName) {
        return histograms.get(histogramName);
    }

    /** Returns the histograms of the reactor, in the order of their names. */
    public List<LatencyHistogram> histograms() {
        return histograms.all();
    }

    /**
     * Returns a snapshot of all accepted and outgoing connections, as the service gets them in its callbacks ({@link
     * ConnectionHandler#decorated}). If a connection is moved twice during the call, it may be missing. Do not call this method for every
     * request.
     */
    public List<Connection> connections() {
        return StandingConnections.of(backend.shards());
    }

    /**
     * Calls {@link Connection#close} on each connection of {@link #connections} for which {@code which} returns true, and returns the
     * number of these connections without a wait. If {@code which} throws an exception, the remaining connections are not closed.
     */
    public int closeConnections(Predicate<? super Connection> which) {
        return StandingConnections.close(connections(), which);
    }

    public StreamCounters counters() {
        return new ReactorCounts(backend.shards()).outcomes();
    }

    /** Returns the number of connections and of bytes of all shards, and their limits. */
    public ReactorUse use() {
        return new ReactorCounts(backend.shards()).use();
    }

    /**
     * Moves up to {@code movesMax} connections ({@link Connection#moveTo}) from shards that have many to shards that have few, until all
     * shards have the same number. The load of the connections is ignored. The future is completed when no move is under way any more, with
     * the number of moved connections. A peer that does not read may delay it.
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

    /** Checks that every shard is served ({@link LeaderFollowersPool#liveness}). Call it regularly, for example for each health check. */
    public Liveness liveness(Duration limit) {
        return pools.liveness(limit);
    }

    public ShardBalance balance() {
        return ShardBalance.of(shardCounters());
    }

    /**
     * Ends the reactor gracefully. It accepts the connections and answers the input that the kernel has already received. Then it closes
     * the connections and waits for their end until the drain time-out. Connections that are left are reset. A connection whose reading is
     * paused is closed when its written bytes are sent. If a handler does not return, its peer and the listening addresses are released
     * after {@link Builder#handlerTimeout} at the latest. A second call waits for the first. In a handler this method returns at once.
     *
     * <p>If the kernel had completed a connection before the drain began, its client gets an answer or sees the end of the connection. The
     * listeners are closed at once, unless all threads are blocked in handlers. The kernel then completes at most one further connection
     * for each listening socket. Other clients wait until they are refused or another process that shares the socket accepts them.
     *
     * <p>After a failure ({@link #failure}) nothing is drained. This method waits for the end and removes the reactor from JMX.
     *
     * <p>In a shutdown hook the log lines of the drain may be lost, because the shutdown hook of {@code java.util.logging} may have closed
     * the log handlers before. A service that needs these lines can close the reactor on the signal.
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

    /** Calls the failure listener before waiting threads return, which may end the process. With {@code observed}, JMX data stays. */
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

    /** Waits until {@link #close} or a failure has ended the reactor. After a failure, throws {@link ReactorFailedException}. */
    public void awaitTermination() throws InterruptedException {
        failure.awaitEndOrEndIfPending();
        terminated.await();
        failure.throwIfAny();
    }

    /** Returns the failure, with the shard, that has ended the reactor or is ending it. Returns null if the reactor has not failed. */
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

        /** @throws IOException if the backend is unavailable. The message names the cause and a remedy */
        public StreamReactor start() throws IOException {
            return new StreamReactor(this);
        }
    }
}
