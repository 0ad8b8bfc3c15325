package org.cabrank.lf;

import java.util.Comparator;
import java.util.Objects;

/**
 * Which follower becomes leader next (POSA2, Leader/Followers, activity 5: the promotion order).
 *
 * <p>The order also decides, under deferred promotion, who stands by to take over from a leader that is slow.
 */
public sealed interface PromotionOrder {

    /** The one that came last: its caches are the warmest. The default. */
    static PromotionOrder lifo() {
        return new Lifo();
    }

    /**
     * The one that has waited longest. Together with {@link Promotion#eager} this is the fair mode
     * ({@link PoolConfig#fair}): a thread that has processed an event leads again only after all that waited before it.
     */
    static PromotionOrder fifo() {
        return new Fifo();
    }

    /** Whichever is the cheapest to promote: one that has not fallen asleep yet, if there is one. */
    static PromotionOrder any() {
        return new Any();
    }

    /**
     * The one that comes first by {@code comparator}; among equals the one that has waited longest.
     *
     * @param comparator called under the lock of the followers, so it must be short and must not block, and what it says
     *     of two threads may change only while they do not follow. An exception is counted and logged once per kind, and
     *     the two are taken for equal
     */
    static PromotionOrder priority(Comparator<? super Thread> comparator) {
        return new Priority(comparator);
    }

    /** {@link #priority(Comparator)} by {@link Thread#getPriority}, the highest first. */
    static PromotionOrder priority() {
        return new Priority(Comparator.comparingInt(Thread::getPriority).reversed());
    }

    /** See {@link #lifo}. */
    record Lifo() implements PromotionOrder {
        @Override
        public String toString() {
            return "lifo";
        }
    }

    /** See {@link #fifo}. */
    record Fifo() implements PromotionOrder {
        @Override
        public String toString() {
            return "fifo";
        }
    }

    /** See {@link #any}. */
    record Any() implements PromotionOrder {
        @Override
        public String toString() {
            return "any";
        }
    }

    /** See {@link #priority(Comparator)}. */
    record Priority(Comparator<? super Thread> comparator) implements PromotionOrder {
        public Priority {
            Objects.requireNonNull(comparator, "comparator");
        }

        @Override
        public String toString() {
            return "priority";
        }
    }
}
