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
     * Begins the names of the pools, {@code NAME-sSHARD}, and of the threads, {@code NAME-sSHARD-NUMBER}; default {@code cabrank}. The
     * kernel shows 15 characters of a thread's name: a prefix of up to 8 leaves room for two digits each.
     */
    public B name(String prefix) {
        name = Objects.requireNonNull(prefix, "prefix");
        return self();
    }

    public B backend(Backend wanted) {
        backend = Objects.requireNonNull(wanted, "wanted");
        return self();
    }

    /** Sets the number of handle sets with threads of their own, from 1 to 1,024. Default: by the {@link #placement}, else 1. */
    public B shards(int count) {
        shards = StreamSettings.requireShards(count);
        return self();
    }

    /**
     * Fixes the number of threads of each shard, from 1 to {@link PoolConfig#THREADS_MAX}; 1 makes a plain reactor, in which no handler may
     * block. Default: each shard finds its size ({@link PoolConfig#growing}); a reactor adds at most 64 threads, and none if its backend is
     * served by one thread only.
     */
    public B threadsPerShard(int count) {
        threadsPerShard = PoolConfig.of(name, count).threads();
        return self();
    }

    /**
     * Serves all shards by one pool of so many threads, at least as many as shards (without {@link #threadsPerShard}): a thread that has
     * become free leads the shard that has been without a leader the longest, so no shard waits while threads idle. With T threads and S
     * shards, every shard has a leader while at most T - S handlers are slow at once. 0, the default: each shard has its own threads.
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
     * Makes the threads of the pools: for daemons, or for a context class loader or an uncaught exception handler; default {@code
     * Thread::new}. The rules are those of {@link PoolConfig#threadFactory}: the factory returns a new platform thread that runs the given
     * task; the pool names and starts it. A factory that throws, or returns null or a started thread, fails the start, and later the
     * reactor.
     */
    public B threadFactory(ThreadFactory factory) {
        threadFactory = Objects.requireNonNull(factory, "factory");
        return self();
    }

    /**
     * Carries out requests on files ({@link StreamReactor#openFile}) where the kernel cannot do so without a thread, which is the case over
     * epoll; without effect over io_uring. Default: {@link ReactorFile#THREADS} daemon threads of the reactor.
     *
     * <p>The caller shuts the executor down, after the reactor. The executor runs every task that it has accepted, on a thread that may
     * block: a dropped task leaves its connection without an end, and a task in the calling thread holds up its shard. A {@link
     * java.util.concurrent.RejectedExecutionException} is thrown to the callback that makes the request; nothing is under way then. A
     * connection has one task at a time, so a queue as long as there are connections is never full. See {@link OffloadExecutors}.
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
     * Sets the maximum number of callbacks of one thread that wait for replies ({@link Connection#newReply}), one above the other on its
     * stack, from 0 to {@link PoolConfig#NESTING_LIMIT}; default {@link PoolConfig#NESTING_MAX_DEFAULT}. One more wait fails with a {@link
     * org.cabrank.lf.NestingLimitException}, which the callback may catch to answer that it is busy.
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
     * Places the threads, for instance by {@code RequestedPlacement.of(Placement.CORES)} of the module {@code org.cabrank.pinning}: a shard
     * for each core, unless {@link #shards} says how many. Default {@link ThreadPlacement#NONE}. {@code start} fails with an {@link
     * IllegalArgumentException} if the placement was made for another number of shards or threads.
     */
    public B placement(ThreadPlacement wanted) {
        placement = Objects.requireNonNull(wanted, "wanted");
        return self();
    }

    public B limits(StreamLimits wanted) {
        limits = Objects.requireNonNull(wanted, "wanted");
        return self();
    }

    /** Time limits where {@link ListenOptions} or {@link ConnectOptions} have none. Only accepted connections get the idle time-out. */
    public B timeouts(StreamTimeouts wanted) {
        timeouts = Objects.requireNonNull(wanted, "wanted");
        return self();
    }

    /**
     * Sets how long, from the beginning of the drain, {@link StreamReactor#close} keeps connections open that have nothing under way; at
     * least 0, the default. A client may have sent a request that the kernel has not received yet: the handler still answers it, and {@link
     * Connection#isDraining} tells it that the answer is the last one. {@link ConnectionHandler#draining} is called after this time. The
     * drain ends earlier if all connections have ended, and its time-out includes this time. For restarts under load, longer than a round
     * trip.
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
     * Time that {@link StreamReactor#close} waits, after the drain, for handlers that still run, if the drain has left less of its time; at
     * least 0, default 5 s. Afterwards connections are reset and listeners closed even if a handler runs; its writes are dropped then. When
     * the handler returns, its thread and all descriptors are given back, and {@link ConnectionHandler#closed} is called.
     */
    public B handlerTimeout(Duration timeout) {
        handlerTimeout = notNegative("handlerTimeout", timeout);
        return self();
    }

    /**
     * Makes a watchdog log the handlers that run for longer than {@code limit}, from 1 ms to 1 day; default: no watchdog. For reports
     * elsewhere, {@link Watchdog#start(Duration, java.util.function.Consumer) start one} that watches the {@link StreamReactor#pools}.
     */
    public B watchdog(Duration limit) {
        watchdogLimit = Watchdog.requireLimit(limit);
        return self();
    }

    /**
     * Shows the pools over JMX as {@code org.cabrank:type=Pool,name=NAME,shard=SHARD}, the shards as {@code type=Shard}, the distribution
     * of load as {@code type=Balance}, and the reactor with its failure as {@code type=Reactor}, with a description of each attribute.
     * {@code start} fails where there is no JMX. Default: not shown.
     */
    public B jmx(boolean shown) {
        jmx = shown;
        return self();
    }

    /** Has the pools keep {@link org.cabrank.lf.observe.LatencyCounters}, which JMX shows too; default: no, which never reads the clock. */
    public B latencyMeasured(boolean wanted) {
        latencyMeasured = wanted;
        return self();
    }

    /**
     * Adds a histogram of the service, which JMX shows beside the pools ({@link #jmx}) as {@code
     * org.cabrank:type=Latency,name=NAME,histogram=HISTOGRAM}. For handlers that get the histogram before the reactor has started; {@link
     * StreamReactor#histogram} makes one later. Up to 256 for each reactor, of different names.
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
     * Listener of a {@link StreamReactor#failure} that ends the reactor: called once on its own thread, after connections were reset and
     * listeners closed, before {@link StreamReactor#awaitTermination} throws. May close the reactor. An exception is logged. Default: none.
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

    /** Threads that a placement is planned for. Threads beyond them run on the same CPUs. */
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
