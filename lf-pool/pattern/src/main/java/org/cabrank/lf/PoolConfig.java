package org.cabrank.lf;

import java.util.Objects;
import java.util.concurrent.ThreadFactory;
import java.util.function.BiConsumer;
import java.util.function.IntConsumer;
import org.cabrank.lf.observe.LatencyCounters;
import org.cabrank.lf.observe.PoolCounters;
import org.cabrank.lf.settings.Settings;

/**
 * Configuration of a {@link LeaderFollowersPool}.
 *
 * @param name prefix of the names of the pool's threads
 * @param initialThreads number of threads that {@link LeaderFollowersPool#start} starts: equal to {@code threads} for a fixed number, or
 *     fewer, from 2, for a pool that grows ({@link #growing})
 * @param threads maximum number of participating threads, guests included, from 1 to 1,024. A pool of one thread is a plain reactor without
 *     leadership words and promotion
 * @param promotion the moment at which leadership passes on; without effect with one thread
 * @param order the follower that becomes leader next
 * @param waiting the way in which leaders and followers wait
 * @param nestingMax maximum number of handlers that wait for replies ({@link Reply}) one above the other on a thread's stack, from 0 to
 *     {@value #NESTING_LIMIT}; a further wait is refused with a {@link NestingLimitException}
 * @param latencyMeasured true if {@link LatencyCounters} are kept, for a reading of the clock at each event and each wait
 * @param onThreadStart called on each thread that the pool starts, before it takes part, for instance to pin the thread. The argument is
 *     the lowest number from 0 that no other thread of the pool has. An exception ends the pool's start; an added thread ends as refused
 * @param threadFactory makes the threads that the pool starts, for instance daemons, or threads with a given context class loader or
 *     uncaught exception handler; {@code Thread::new} by default. Returns a new, unstarted platform thread that runs the given task once
 *     and to its end; the pool names it {@code NAME-NUMBER} and starts it. If the factory throws, returns null or returns a started thread,
 *     the pool fails. If the thread ends without having run the task, the pool fails while {@link LeaderFollowersPool#start} waits for the
 *     thread; later, {@link LeaderFollowersPool#liveness} reports a pool without threads. While a pool grows, each of these counts as a
 *     refusal
 * @param onFailure called once with the pool and the cause when the pool fails, by the thread that noticed the failure, after {@link
 *     LeaderFollowersPool#failure} is set and the threads were notified to leave. No lock is held. Must not block; may be called before
 *     {@link LeaderFollowersPool#start} returns. An exception is logged. Does nothing by default
 */
public record PoolConfig(
        String name,
        int initialThreads,
        int threads,
        Promotion promotion,
        PromotionOrder order,
        Waiting waiting,
        int nestingMax,
        boolean latencyMeasured,
        IntConsumer onThreadStart,
        ThreadFactory threadFactory,
        BiConsumer<? super LeaderFollowersPool, ? super Throwable> onFailure) {
    public static final int THREADS_MAX = 1024;

    /** Number of initial threads of a {@linkplain #growing growing} pool: a leader and a follower. */
    public static final int GROWING_FROM = 2;

    public static final int GROWING_TO = 16;

    public static final int NESTING_MAX_DEFAULT = 16;

    /** Named bound of {@code nestingMax}: a default stack of 1 MiB holds that many modest handlers. */
    public static final int NESTING_LIMIT = 256;

    public PoolConfig {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(promotion, "promotion");
        Objects.requireNonNull(order, "order");
        Objects.requireNonNull(waiting, "waiting");
        Objects.requireNonNull(onThreadStart, "onThreadStart");
        Objects.requireNonNull(threadFactory, "threadFactory");
        Objects.requireNonNull(onFailure, "onFailure");
        if (nestingMax < 0 || nestingMax > NESTING_LIMIT) {
            throw new IllegalArgumentException(
                    "nestingMax must be from 0 to " + NESTING_LIMIT + ", but is " + nestingMax);
        }
        if (threads < 1 || threads > THREADS_MAX) {
            throw new IllegalArgumentException("threads must be from 1 to " + THREADS_MAX + ", but is " + threads);
        }
        if (initialThreads > threads || initialThreads < Math.min(GROWING_FROM, threads)) {
            throw new IllegalArgumentException("initialThreads must be " + threads + ", or from " + GROWING_FROM
                    + " for a pool that grows to " + threads + ", but is " + initialThreads);
        }
    }

    /** A fixed number of threads; deferred promotion with the default gap, LIFO, blocking waits. */
    public static PoolConfig of(String name, int threads) {
        return new PoolConfig(
                name,
                threads,
                threads,
                Promotion.deferred(),
                PromotionOrder.lifo(),
                Waiting.block(),
                NESTING_MAX_DEFAULT,
                false,
                thread -> {},
                Thread::new,
                (pool, failure) -> {});
    }

    /**
     * Like {@link #of}, but the pool finds its size. It starts with {@value #GROWING_FROM} threads and adds a thread, up to {@value
     * #GROWING_TO}, whenever no thread follows because handlers block. It adds none while as many handlers compute as the pool may use
     * processors. Once a minute, threads that were not needed in that minute end, down to {@value #GROWING_FROM}. A thread that cannot be
     * started is counted ({@link PoolCounters#threadsRefused}) and logged once; the pool goes on and tries again after a second.
     */
    public static PoolConfig growing(String name) {
        return of(name, GROWING_TO).withInitialThreads(GROWING_FROM);
    }

    /**
     * The fair mode: eager promotion in FIFO order. Between two events of one thread, all other waiting threads lead. Costs warm caches,
     * and a wake-up for every event.
     */
    public static PoolConfig fair(String name, int threads) {
        return of(name, threads).withPromotion(Promotion.eager()).withOrder(PromotionOrder.fifo());
    }

    public boolean promotesEagerly() {
        return promotion instanceof EagerPromotion;
    }

    public boolean grows() {
        return initialThreads < threads;
    }

    public PoolConfig withInitialThreads(int changed) {
        return Settings.with(this, "initialThreads", changed);
    }

    public PoolConfig withName(String changed) {
        return Settings.with(this, "name", changed);
    }

    public PoolConfig withPromotion(Promotion changed) {
        return Settings.with(this, "promotion", changed);
    }

    public PoolConfig withOrder(PromotionOrder changed) {
        return Settings.with(this, "order", changed);
    }

    public PoolConfig withWaiting(Waiting changed) {
        return Settings.with(this, "waiting", changed);
    }

    public PoolConfig withNestingMax(int changed) {
        return Settings.with(this, "nestingMax", changed);
    }

    public PoolConfig withLatencyMeasured(boolean changed) {
        return Settings.with(this, "latencyMeasured", changed);
    }

    public PoolConfig withOnThreadStart(IntConsumer changed) {
        return Settings.with(this, "onThreadStart", changed);
    }

    public PoolConfig withThreadFactory(ThreadFactory changed) {
        return Settings.with(this, "threadFactory", changed);
    }

    public PoolConfig withOnFailure(BiConsumer<? super LeaderFollowersPool, ? super Throwable> changed) {
        return Settings.with(this, "onFailure", changed);
    }
}
