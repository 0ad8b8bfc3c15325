package org.cabrank.lf;

import java.util.Objects;
import java.util.concurrent.ThreadFactory;
import java.util.function.BiConsumer;
import java.util.function.IntConsumer;
import org.cabrank.lf.observe.LatencyCounters;

/**
 * Configuration of a {@link LeaderFollowersPool}.
 *
 * @param name begins the names of the pool's threads
 * @param threads maximum number of participating threads, from 1 to 1,024; {@link LeaderFollowersPool#start} starts that many.
 *     With one there is nobody to promote, and the pool is a plain reactor without a leadership word
 * @param promotion when leadership passes on; without effect with one thread
 * @param order which follower becomes leader next
 * @param waiting the way in which leaders and followers wait
 * @param nestingMax maximum number of handlers of one thread that wait for replies ({@link Reply}), one above the other on its
 *     stack, from 0 to {@value #NESTING_LIMIT}; the next is refused with a {@link NestingLimitException}
 * @param latencyMeasured true if {@link LatencyCounters} are kept, for a reading of the clock at each event and each wait
 * @param onThreadStart called on each thread that the pool starts, with its number from 0, before it joins: the place to
 *     pin it. An exception ends the start of the pool
 * @param threadFactory makes the threads that the pool starts: the place to
 *     make them daemons, or to set their context class loader or their uncaught exception handler; {@code Thread::new} by
 *     default. The factory returns a new platform thread that has not been started and that runs the given task, once and
 *     to its end. The pool sets the thread's name, {@code NAME-NUMBER}, and starts the thread. If the factory throws, returns
 *     null or returns a thread that was started already, the pool fails. If the thread ends without having run the task, the
 *     pool fails as well while {@link LeaderFollowersPool#start} waits for the thread; later, {@link
 *     LeaderFollowersPool#liveness} reports a pool without threads
 * @param onFailure called once with the pool and the cause when the pool fails, by the thread that noticed the failure, after
 *     {@link LeaderFollowersPool#failure} is set and the threads have been told to leave. No lock is held. Must not block; may be
 *     called before {@link LeaderFollowersPool#start} returns. Whatever this callback throws is logged. Does nothing by default
 */
public record PoolConfig(
        String name,
        int threads,
        Promotion promotion,
        PromotionOrder order,
        Waiting waiting,
        int nestingMax,
        boolean latencyMeasured,
        IntConsumer onThreadStart,
        ThreadFactory threadFactory,
        BiConsumer<? super LeaderFollowersPool, ? super Throwable> onFailure) {
    /** Named bound. */
    public static final int THREADS_MAX = 1024;

    /** Default of {@code nestingMax}. */
    public static final int NESTING_MAX_DEFAULT = 16;

    /** Named bound of {@code nestingMax}: a default stack of 1 MiB still holds so many handlers of a modest depth. */
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
    }

    /** Deferred promotion with the default gap, LIFO, blocking waits. */
    public static PoolConfig of(String name, int threads) {
        return new PoolConfig(
                name,
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
     * The fair mode: eager promotion in FIFO order. Between two events that one thread processes, each thread that waited
     * has been given leadership once. It costs warm caches, and a wake-up for every event.
     */
    public static PoolConfig fair(String name, int threads) {
        return of(name, threads).withPromotion(Promotion.eager()).withOrder(PromotionOrder.fifo());
    }

    /** Returns true if each event has a follower promoted before its handler runs. */
    public boolean promotesEagerly() {
        return promotion instanceof Promotion.Eager;
    }

    public PoolConfig withName(String changed) {
        return new PoolConfig(
                changed,
                threads,
                promotion,
                order,
                waiting,
                nestingMax,
                latencyMeasured,
                onThreadStart,
                threadFactory,
                onFailure);
    }

    public PoolConfig withPromotion(Promotion changed) {
        return new PoolConfig(
                name,
                threads,
                changed,
                order,
                waiting,
                nestingMax,
                latencyMeasured,
                onThreadStart,
                threadFactory,
                onFailure);
    }

    public PoolConfig withOrder(PromotionOrder changed) {
        return new PoolConfig(
                name,
                threads,
                promotion,
                changed,
                waiting,
                nestingMax,
                latencyMeasured,
                onThreadStart,
                threadFactory,
                onFailure);
    }

    public PoolConfig withWaiting(Waiting changed) {
        return new PoolConfig(
                name,
                threads,
                promotion,
                order,
                changed,
                nestingMax,
                latencyMeasured,
                onThreadStart,
                threadFactory,
                onFailure);
    }

    public PoolConfig withNestingMax(int changed) {
        return new PoolConfig(
                name,
                threads,
                promotion,
                order,
                waiting,
                changed,
                latencyMeasured,
                onThreadStart,
                threadFactory,
                onFailure);
    }

    public PoolConfig withLatencyMeasured(boolean changed) {
        return new PoolConfig(
                name, threads, promotion, order, waiting, nestingMax, changed, onThreadStart, threadFactory, onFailure);
    }

    public PoolConfig withOnThreadStart(IntConsumer changed) {
        return new PoolConfig(
                name,
                threads,
                promotion,
                order,
                waiting,
                nestingMax,
                latencyMeasured,
                changed,
                threadFactory,
                onFailure);
    }

    public PoolConfig withThreadFactory(ThreadFactory changed) {
        return new PoolConfig(
                name,
                threads,
                promotion,
                order,
                waiting,
                nestingMax,
                latencyMeasured,
                onThreadStart,
                changed,
                onFailure);
    }

    public PoolConfig withOnFailure(BiConsumer<? super LeaderFollowersPool, ? super Throwable> changed) {
        return new PoolConfig(
                name,
                threads,
                promotion,
                order,
                waiting,
                nestingMax,
                latencyMeasured,
                onThreadStart,
                threadFactory,
                changed);
    }
}
