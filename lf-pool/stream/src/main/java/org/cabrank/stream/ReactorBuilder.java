package org.cabrank.stream;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;
import java.util.function.Consumer;
import org.cabrank.lf.OffloadExecutors;
import org.cabrank.lf.PoolConfig;
import org.cabrank.lf.Promotion;
import org.cabrank.lf.PromotionOrder;
import org.cabrank.lf.Waiting;
import org.cabrank.lf.Watchdog;
import org.cabrank.lf.handle.Deactivation;
import org.cabrank.lf.observe.LatencyHistogram;
import org.cabrank.stream.transport.StreamSettings;

/** Settings of a reactor. Each value is checked where it is passed; {@code start} checks their combination. */
public abstract sealed class ReactorBuilder<B extends ReactorBuilder<B>>
        permits StreamReactor.Builder, StreamServer.Builder {
    private static final int OF_PLACEMENT = Integer.MIN_VALUE;

    String name = "cabrank";
    Backend backend = Backend.auto();
    int shards = OF_PLACEMENT;

    int threadsPerShard;

    int sharedThreads;
    Promotion promotion = Promotion.deferred();
    PromotionOrder order = PromotionOrder.lifo();
    Waiting waiting = Waiting.block();
    int nestingMax = PoolConfig.NESTING_MAX_DEFAULT;
    Deactivation deactivation = Deactivation.CLAIM;
    ThreadPlacement placement = ThreadPlacement.NONE;
    StreamLimits limits = StreamLimits.DEFAULT;
    StreamTimeouts timeouts = StreamTimeouts.DEFAULT;
    Duration drainGrace = Duration.ZERO;
    Duration drainTimeout = Duration.ofSeconds(10);
    Duration handlerTimeout = Duration.ofSeconds(5);
    Duration watchdogLimit;
    boolean jmx;
    boolean latencyMeasured;
    final List<LatencyHistogram> histograms = new ArrayList<>();
    ThreadFactory threadFactory = Thread::new;
    Executor fileExecutor;
    Consumer<? super ReactorFailedException> onFailure = failure -> {};

    ReactorBuilder() {}

    /**
     * Sets the prefix of the names of the pools ({@code NAME-sSHARD}) and of the threads ({@code NAME-sSHARD-NUMBER}); default {@code
     * cabrank}. The kernel shows only 15 characters of a thread's name.
     */
    public B name(String prefix) {
        name = Objects.requireNonNull(prefix, "prefix");
        return self();
    }

    public B backend(Backend wanted) {
        backend = Objects.requireNonNull(wanted, "wanted");
        return self();
    }

    /** Sets the number of shards (handle sets with their own threads), 1 to 1,024. The default is that of the {@link #placement}, or 1. */
    public B shards(int count) {
        shards = StreamSettings.requireShards(count);
        return self();
    }

    /**
     * Fixes the number of threads of each shard, from 1 to {@link PoolConfig#THREADS_MAX}. With 1 no handler may block. By default each
     * shard adds threads when it needs them ({@link PoolConfig#growing}), at most 64 in a reactor.
     */
    public B threadsPerShard(int count) {
        threadsPerShard = PoolConfig.of(name, count).threads();
        return self();
    }

    /**
     * Serves all shards by one pool of {@code count} threads. There must be at least as many threads as shards, and {@link
     * #threadsPerShard} must not be set. A free thread leads the shard that has longest been without a leader. With 0, the default, each
     * shard has its own threads.
     */
    public B sharedThreads(int count) {
        sharedThreads = count == 0 ? 0 : PoolConfig.of(name, count).threads();
        return self();
    }

    public B promotion(Promotion policy) {
        promotion = Objects.requireNonNull(policy, "policy");
        return self();
    }

    /** Default {@link PromotionOrder#lifo}. */
    public B order(PromotionOrder wanted) {
        order = Objects.requireNonNull(wanted, "wanted");
        return self();
    }

    /**
     * Sets the factory of the pools' threads; default {@code Thread::new}. It returns a new platform thread, which the pool names and
     * starts (see {@link PoolConfig#threadFactory}). If it fails, the start fails, or later the reactor.
     */
    public B threadFactory(ThreadFactory factory) {
        threadFactory = Objects.requireNonNull(factory, "factory");
        return self();
    }

    /**
     * Sets the executor that carries out requests on files ({@link StreamReactor#openFile}) with epoll. With io_uring it has no effect,
     * because the kernel carries out the requests. The default is {@link ReactorFile#THREADS} daemon threads of the reactor.
     *
     * <p>Shut the executor down after the reactor. It must run every task that it has accepted, because otherwise the connection never
     * ends. It must not run a task in the calling thread, which would block the shard. If it throws a {@link
     * java.util.concurrent.RejectedExecutionException}, the callback that makes the request gets it. A connection has one task at a time,
     * so a queue for as many tasks as connections is never full. See {@link OffloadExecutors}.
     */
    public B fileExecutor(Executor executor) {
        fileExecutor = Objects.requireNonNull(executor, "executor");
        return self();
    }

    public B waiting(Waiting strategy) {
        waiting = Objects.requireNonNull(strategy, "strategy");
        return self();
    }

    /**
     * Sets the maximum number of callbacks on the stack of one thread that wait for replies ({@link Connection#newReply}): 0 to {@link
     * PoolConfig#NESTING_LIMIT}. The default is {@link PoolConfig#NESTING_MAX_DEFAULT}. A further wait fails with a {@link
     * org.cabrank.lf.NestingLimitException}. The callback can catch it and answer that the service is busy.
     */
    public B nestingMax(int waits) {
        nestingMax = PoolConfig.of(name, 1).withNestingMax(waits).nestingMax();
        return self();
    }

    public B deactivation(Deactivation wanted) {
        deactivation = Objects.requireNonNull(wanted, "wanted");
        return self();
    }

    /**
     * Sets the CPUs of the threads; default {@link ThreadPlacement#NONE}. {@code RequestedPlacement.of(Placement.CORES)} makes a shard for
     * each core, unless {@link #shards} is set. {@code start} fails if the placement was made for another number of shards or threads.
     */
    public B placement(ThreadPlacement wanted) {
        placement = Objects.requireNonNull(wanted, "wanted");
        return self();
    }

    public B limits(StreamLimits wanted) {
        limits = Objects.requireNonNull(wanted, "wanted");
        return self();
    }

    /** Sets the time limits of connections whose options have none. Only accepted connections get the idle time-out. */
    public B timeouts(StreamTimeouts wanted) {
        timeouts = Objects.requireNonNull(wanted, "wanted");
        return self();
    }

    /**
     * Sets the first part of the drain time-out, in which {@link StreamReactor#close} keeps idle connections open for requests that clients
     * have already sent. At least 0; default 0. In this time {@link Connection#isDraining} returns true. {@link ConnectionHandler#draining}
     * is called afterwards. For a restart under load, set it longer than a round trip.
     */
    public B drainGrace(Duration time) {
        drainGrace = notNegative("drainGrace", time);
        return self();
    }

    /** Time that {@link StreamReactor#close} waits for connections, at least 0; default 10 s. */
    public B drainTimeout(Duration timeout) {
        drainTimeout = notNegative("drainTimeout", timeout);
        return self();
    }

    /**
     * Sets the minimum time that {@link StreamReactor#close} waits, after the drain, for handlers that still run; at least 0, default 5 s.
     * It waits for the rest of the drain time-out if that is longer. Afterwards connections are reset, and listeners are closed. When the
     * handler returns, its thread and all descriptors are released, and {@link ConnectionHandler#closed} is called.
     */
    public B handlerTimeout(Duration timeout) {
        handlerTimeout = notNegative("handlerTimeout", timeout);
        return self();
    }

    /** Makes a {@link Watchdog} log the handlers that run for longer than {@code limit}, from 1 ms to 1 day. The default is no watchdog. */
    public B watchdog(Duration limit) {
        watchdogLimit = Watchdog.requireLimit(limit);
        return self();
    }

    /**
     * Shows the pools over JMX as {@code org.cabrank:type=Pool,name=NAME,shard=SHARD}, the shards as {@code type=Shard}, the balance as
     * {@code type=Balance}, and the reactor as {@code type=Reactor}. {@code start} fails where there is no JMX. Default: not shown.
     */
    public B jmx(boolean shown) {
        jmx = shown;
        return self();
    }

    /** With true, the pools keep {@link org.cabrank.lf.observe.LatencyCounters}, which JMX shows. The default is false. */
    public B latencyMeasured(boolean wanted) {
        latencyMeasured = wanted;
        return self();
    }

    /**
     * Adds a histogram of the service, which JMX shows ({@link #jmx}) as {@code org.cabrank:type=Latency,name=NAME,histogram=HISTOGRAM}.
     * There can be 256 of different names. After the start, {@link StreamReactor#histogram} makes further ones.
     */
    public B histogram(LatencyHistogram added) {
        Objects.requireNonNull(added, "added");
        if (histograms.stream().anyMatch(known -> known.name().equals(added.name()))) {
            throw new IllegalArgumentException(
                    "two histograms have the name " + added.name() + ": choose another name");
        }
        histograms.add(added);
        return self();
    }

    /**
     * Sets a listener that is called once, in its own thread, when a {@link StreamReactor#failure} has ended the reactor, before {@link
     * StreamReactor#awaitTermination} throws. It may close the reactor. Its exception is logged. The default is no listener.
     */
    public B onFailure(Consumer<? super ReactorFailedException> listener) {
        onFailure = Objects.requireNonNull(listener, "listener");
        return self();
    }

    private static Duration notNegative(String name, Duration time) {
        Objects.requireNonNull(time, name);
        if (time.isNegative()) {
            throw new IllegalArgumentException(name + " must be at least 0, but is " + time);
        }
        return time;
    }

    boolean grows() {
        return sharedThreads == 0 && threadsPerShard == 0;
    }

    private int plannedThreads() {
        return sharedThreads > 0 ? sharedThreads : grows() ? 1 : threadsPerShard;
    }

    ThreadPlacement plannedPlacement() {
        int wanted = shards == OF_PLACEMENT ? 0 : shards;
        return placement.planned(sharedThreads > 0 ? 1 : wanted, plannedThreads());
    }

    StreamSettings settings(ThreadPlacement planned) {
        int count = shards == OF_PLACEMENT ? 1 : shards;
        if (sharedThreads < 0 || sharedThreads > 0 && sharedThreads < count) {
            throw new IllegalArgumentException("threads that share " + count
                    + " shards must be at least as many, or 0 for none, but are " + sharedThreads);
        }
        if (sharedThreads > 0) {
            return new StreamSettings(
                    count, sharedThreads, false, deactivation, limits, timeouts, ThreadPlacement.NONE);
        }
        int chosen = shards == OF_PLACEMENT && planned.shards() > 0 ? planned.shards() : count;
        if (planned.shards() > 0 && planned.shards() != chosen) {
            throw new IllegalArgumentException(
                    "the placement is for " + planned.shards() + " shards, but the reactor has " + chosen
                            + ": leave out shards(" + chosen + "), or plan the placement for " + chosen);
        }
        int threads = grows() ? PoolConfig.GROWING_TO : threadsPerShard;
        return new StreamSettings(chosen, threads, grows(), deactivation, limits, timeouts, planned);
    }

    @SuppressWarnings("unchecked") // by the bound of B
    private B self() {
        return (B) this;
    }
}
