package org.cabrank.lf;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.cabrank.lf.handle.Choice;
import org.cabrank.lf.leadership.Deadlines;

/** The moment at which leadership passes to a follower. */
public sealed interface Promotion extends Choice {

    /** Returns the policies that a user can choose by label, with their defaults. */
    static List<Promotion> values() {
        return List.of(eager(), deferred());
    }

    /** POSA2's: the leader promotes a follower before it processes each event. */
    static Promotion eager() {
        return new Eager();
    }

    /**
     * The leader processes the event itself; a follower takes over when the leader stays in a handler. A short handler costs no
     * wake-up, a slow one leaves the handle set unwatched for at most {@code maxGap}, plus the time that the scheduler takes to run
     * two threads.
     *
     * <p>One thread of the reactor, the <em>watcher</em>, looks at the leaders of all its pools, twice in {@code maxGap}. A leader that
     * waits in a handler, as Java knows, is replaced at once, another one when it was seen at the same event for half of {@code maxGap}.
     * After a leader that was blocked, the watcher looks sixteen times in {@code maxGap}, for 64 {@code maxGap}, and asks the
     * kernel which leaders are blocked. While leaders wait for events it rests. The watcher does not preempt a leader in order to look at
     * it.
     *
     * @param maxGap from 10 µs to 1 s
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
        public String label() {
            return "eager";
        }

        @Override
        public String description() {
            return "before each event is processed";
        }

        @Override
        public String toString() {
            return "eager";
        }
    }

    /** See {@link #deferred(Duration)}. */
    record Deferred(Duration maxGap) implements Promotion {
        public static final Duration MAX_GAP_DEFAULT = Duration.ofMillis(2);
        private static final Duration MIN = Duration.ofNanos(10_000);
        private static final Duration MAX = Duration.ofSeconds(1);

        public Deferred {
            Objects.requireNonNull(maxGap, "maxGap");
            if (maxGap.compareTo(MIN) < 0 || maxGap.compareTo(MAX) > 0) {
                throw new IllegalArgumentException("maxGap must be from 10us to 1s, but is " + maxGap);
            }
        }

        @Override
        public String label() {
            return "deferred";
        }

        @Override
        public String description() {
            return "when an event takes longer than the largest gap, 2 ms by default";
        }

        @Override
        public String toString() {
            return "deferred(" + Deadlines.ns(maxGap) / 1000 + "us)";
        }
    }
}
