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
 * @param onThreadStart called on each thread that the pool starts, with its number from 0, before it joins: the place to
 *     pin it. An exception ends the start of the pool
 */
public record PoolConfig(
        String name,
        int threads,
        Promotion promotion,
        PromotionOrder order,
        Waiting waiting,
        IntConsumer onThreadStart) {
    /** Named bound. */
    public static final int THREADS_MAX = 1024;

    public PoolConfig {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(promotion, "promotion");
        Objects.requireNonNull(order, "order");
        Objects.requireNonNull(waiting, "waiting");
        Objects.requireNonNull(onThreadStart, "onThreadStart");
        if (threads < 1 || threads > THREADS_MAX) {
            throw new IllegalArgumentException("threads must be from 1 to " + THREADS_MAX + ", but is " + threads);
        }
    }

    /** Deferred promotion with the default gap, LIFO, blocking waits. */
    public static PoolConfig of(String name, int threads) {
        return new PoolConfig(
                name, threads, Promotion.deferred(), PromotionOrder.lifo(), Waiting.block(), thread -> {});
    }

    /**
     * The fair mode: eager promotion in FIFO order. Between two events that one thread processes, each thread that waited
     * has been given leadership once. It costs warm caches, and a wake-up for every event.
     */
    public static PoolConfig fair(String name, int threads) {
        return of(name, threads).withPromotion(Promotion.eager()).withOrder(PromotionOrder.fifo());
    }

    public PoolConfig withPromotion(Promotion changed) {
        return new PoolConfig(name, threads, changed, order, waiting, onThreadStart);
    }

    public PoolConfig withOrder(PromotionOrder changed) {
        return new PoolConfig(name, threads, promotion, changed, waiting, onThreadStart);
    }

    public PoolConfig withWaiting(Waiting changed) {
        return new PoolConfig(name, threads, promotion, order, changed, onThreadStart);
    }

    public PoolConfig withOnThreadStart(IntConsumer changed) {
        return new PoolConfig(name, threads, promotion, order, waiting, changed);
    }
}
