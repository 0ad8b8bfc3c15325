package org.cabrank.lf;

import java.time.Duration;
import java.util.Objects;

/** When leadership passes to a follower. */
public sealed interface Promotion {

    /** POSA2's: the leader promotes a follower before it processes each event. */
    static Promotion eager() {
        return new Eager();
    }

    /**
     * The leader processes the event itself; a standby follower takes over when one event is processed for too long. A
     * short handler costs no wake-up, a slow one leaves the handle set unwatched for at most {@code maxGap}, plus the time
     * the scheduler takes to run the standby.
     *
     * @param maxGap from 10 µs to 1 s; the standby looks twice in it
     */
    static Promotion deferred(Duration maxGap) {
        return new Deferred(maxGap);
    }

    /** {@link #deferred} with {@link Deferred#MAX_GAP_DEFAULT}. */
    static Promotion deferred() {
        return new Deferred(Deferred.MAX_GAP_DEFAULT);
    }

    /** See {@link #eager}. */
    record Eager() implements Promotion {
        @Override
        public String toString() {
            return "eager";
        }
    }

    /** See {@link #deferred(Duration)}. */
    record Deferred(Duration maxGap) implements Promotion {
        public static final Duration MAX_GAP_DEFAULT = Duration.ofNanos(200_000);
        private static final Duration MIN = Duration.ofNanos(10_000);
        private static final Duration MAX = Duration.ofSeconds(1);

        public Deferred {
            Objects.requireNonNull(maxGap, "maxGap");
            if (maxGap.compareTo(MIN) < 0 || maxGap.compareTo(MAX) > 0) {
                throw new IllegalArgumentException(
                        "maxGap must be from 10us to 1s, but is " + maxGap.toNanos() / 1000.0 + "us");
            }
        }

        /** The pause between two looks: an event seen in progress at two looks has taken at most the gap. */
        long lookNs() {
            return maxGap.toNanos() / 2;
        }

        @Override
        public String toString() {
            return "deferred(" + maxGap.toNanos() / 1000 + "us)";
        }
    }
}
