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
 * @param initialThreads number of threads that {@link LeaderFollowersPool#start} starts. If it is less than {@code threads}, the pool grows
 *     ({@link #growing}). A growing pool starts with at least 2 threads
 * @param threads maximum number of participating threads, including guests, from 1 to 1,024. A pool of one thread is a plain reactor
 * @param promotion the moment at which leadership passes on. Has no effect with one thread
 * @param order the follower that becomes leader next
 * @param waiting the way in which leaders and followers wait
 * @param nestingMax maximum number of waiting handlers on a thread's stack ({@link Reply}), from 0 to {@value #NESTING_LIMIT}
 * @param latencyMeasured true if the pool keeps {@link LatencyCounters}. This costs a reading of the clock at each event and each wait
 * @param onThreadStart called on each thread that the pool starts, before the thread takes part, for instance to pin the thread. The
 *     argument is the lowest number from 0 that no other thread of the pool has. If the callback throws on an initial thread, the pool
 *     fails. If it throws on an added thread, the thread ends and counts as refused
 * @param threadFactory makes the threads that the pool starts. The default is {@code Thread::new}. The factory must return a new, unstarted
 *     platform thread that runs the given task once and to its end. The pool names the thread {@code NAME-NUMBER} and starts it. If the
 *     factory throws or breaks this rule at the start, the pool fails. While the pool grows, the thread counts as refused
 * @param onFailure called once with the pool and the cause if the pool fails, by the thread that noticed the failure. {@link
 *     LeaderFollowersPool#failure} is already set. The callback must not block. It may be called before {@link LeaderFollowersPool#start}
 *     returns. If it throws, the exception is logged. The default does nothing
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

    /** Upper limit of {@code nestingMax}. A default stack of 1 MiB has room for about this many handlers of modest size. */
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

    /** A pool with a fixed number of threads, deferred promotion with the default gap, LIFO order and blocking waits. */
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
     * Like {@link #of}, but the pool grows and shrinks. It starts with {@value #GROWING_FROM} threads. If no thread follows because
     * handlers block, it adds a thread, up to {@value #GROWING_TO}. It adds none while as many handlers compute as the pool has processors.
     * Once a minute it ends the threads that were not needed in that minute. If a thread cannot be started, the failure is counted ({@link
     * PoolCounters#threadsRefused}), and the pool tries again after a second.
     */
    public static PoolConfig growing(String name) {
        return of(name, GROWING_TO).withInitialThreads(GROWING_FROM);
    }

    /** Eager promotion in FIFO order. Between two events of one thread, all other waiting threads lead. Each event costs a wake-up. */
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
