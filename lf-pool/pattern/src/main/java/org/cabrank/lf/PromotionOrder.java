package org.cabrank.lf;

import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.cabrank.lf.failure.FailureLog;
import org.cabrank.lf.handle.Choice;
import org.cabrank.lf.leadership.ArrivalQueue;
import org.cabrank.lf.leadership.FollowerQueue;
import org.cabrank.lf.leadership.PriorityFollowerQueue;

/**
 * Decides the follower that leads next (POSA2, Leader/Followers, activity 5: the promotion order). Under deferred promotion, it also
 * decides the follower that takes over from a slow leader.
 */
public final class PromotionOrder implements Choice {
    private static final PromotionOrder LIFO = new PromotionOrder(
            "lifo", "the follower that came last", failures -> new ArrivalQueue(ArrivalQueue.Choice.NEWEST));
    private static final PromotionOrder FIFO = new PromotionOrder(
            "fifo", "the follower that has waited longest", failures -> new ArrivalQueue(ArrivalQueue.Choice.OLDEST));
    private static final PromotionOrder ANY = new PromotionOrder(
            "any",
            "a follower that is awake, if there is one",
            failures -> new ArrivalQueue(ArrivalQueue.Choice.AWAKE));

    private final String label;
    private final String description;
    private final Function<FailureLog, FollowerQueue> newQueue;

    private PromotionOrder(String label, String description, Function<FailureLog, FollowerQueue> newQueue) {
        this.label = label;
        this.description = description;
        this.newQueue = newQueue;
    }

    /** The orders that a user can choose by label. */
    public static List<PromotionOrder> values() {
        return List.of(LIFO, FIFO, ANY, priority());
    }

    /** Promotes the follower that arrived last, because its caches are the warmest. This is the default. */
    public static PromotionOrder lifo() {
        return LIFO;
    }

    /** Promotes the longest-waiting follower. This order with {@link Promotion#eager} is the fair mode: see {@link PoolConfig#fair}. */
    public static PromotionOrder fifo() {
        return FIFO;
    }

    /** Promotes the follower that is cheapest to wake. A follower that does not sleep yet is preferred. */
    public static PromotionOrder any() {
        return ANY;
    }

    /**
     * Promotes the follower that {@code comparator} puts first. If several are equal, promotes the one that has waited longest. The
     * comparator is called under the followers' lock, so it must be short and must not block. Its result for two threads must not change
     * while both follow. If the comparator throws, the two threads count as equal, and the exception is counted and logged once per kind.
     */
    public static PromotionOrder priority(Comparator<? super Thread> comparator) {
        Objects.requireNonNull(comparator, "comparator");
        return new PromotionOrder(
                "priority",
                "the follower with the highest thread priority, among equals the one that has waited longest",
                failures -> new PriorityFollowerQueue(comparator, failures));
    }

    /** Returns {@link #priority(Comparator)} by {@link Thread#getPriority}, the highest first. */
    public static PromotionOrder priority() {
        return priority(Comparator.comparingInt(Thread::getPriority).reversed());
    }

    FollowerQueue newQueue(FailureLog failures) {
        return newQueue.apply(failures);
    }

    @Override
    public String label() {
        return label;
    }

    @Override
    public String description() {
        return description;
    }

    @Override
    public String toString() {
        return label;
    }
}
