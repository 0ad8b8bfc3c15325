package org.cabrank.lf;

import java.util.Objects;
import java.util.function.IntConsumer;

/**
 * How a {@link LeaderFollowersPool} works.
 *
 * @param name begins the names of the pool's threads
 * @param threads how many threads take part at most, from 1 to 1,024; {@link LeaderFollowersPool#start} starts as many.
 *     With one there is nobody to promote, and the pool is a plain reactor without a leadership word
 * @param promotion when leadership passes on; without effect with one thread
 * @param order which follower becomes leader next
 * @param waiting how leaders and followers wait
 * @param nestingMax how many handlers of one thread may wait for replies ({@link Reply}), one above the other on its stack,
 *     from 0 to {@value #NESTING_LIMIT}; the next is refused with a {@link NestingLimitException}
 * @param latencyMeasured whether {@link LatencyCounters} are kept, for a reading of the clock at each event and each wait
 * @param onThreadStart called on each thread that the pool starts, with its number from 0, before it joins: the place to
 *     pin it. An exception ends the start of the pool
 */
public record PoolConfig(
        String name,
        int threads,
        Promotion promotion,
        PromotionOrder order,
        Waiting waiting,
        int nestingMax,
        boolean latencyMeasured,
        IntConsumer onThreadStart) {
    /** Named bound. */
    public static final int THREADS_MAX = 1024;

    /** Of {@code nestingMax}. */
    public static final int NESTING_MAX_DEFAULT = 16;

    /** Named bound of {@code nestingMax}: a default stack of 1 MiB still holds so many handlers of a modest depth. */
    public static final int NESTING_LIMIT = 256;

    public PoolConfig {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(promotion, "promotion");
        Objects.requireNonNull(order, "order");
        Objects.requireNonNull(waiting, "waiting");
        Objects.requireNonNull(onThreadStart, "onThreadStart");
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
                thread -> {});
    }

    /**
     * The fair mode: eager promotion in FIFO order. Between two events that one thread processes, each thread that waited
     * has been given leadership once. It costs warm caches, and a wake-up for every event.
     */
    public static PoolConfig fair(String name, int threads) {
        return of(name, threads).withPromotion(Promotion.eager()).withOrder(PromotionOrder.fifo());
    }

    public PoolConfig withName(String changed) {
        return new PoolConfig(changed, threads, promotion, order, waiting, nestingMax, latencyMeasured, onThreadStart);
    }

    public PoolConfig withPromotion(Promotion changed) {
        return new PoolConfig(name, threads, changed, order, waiting, nestingMax, latencyMeasured, onThreadStart);
    }

    public PoolConfig withOrder(PromotionOrder changed) {
        return new PoolConfig(name, threads, promotion, changed, waiting, nestingMax, latencyMeasured, onThreadStart);
    }

    public PoolConfig withWaiting(Waiting changed) {
        return new PoolConfig(name, threads, promotion, order, changed, nestingMax, latencyMeasured, onThreadStart);
    }

    public PoolConfig withNestingMax(int changed) {
        return new PoolConfig(name, threads, promotion, order, waiting, changed, latencyMeasured, onThreadStart);
    }

    public PoolConfig withLatencyMeasured(boolean changed) {
        return new PoolConfig(name, threads, promotion, order, waiting, nestingMax, changed, onThreadStart);
    }

    public PoolConfig withOnThreadStart(IntConsumer changed) {
        return new PoolConfig(name, threads, promotion, order, waiting, nestingMax, latencyMeasured, changed);
    }
}
