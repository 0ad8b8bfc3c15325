package org.cabrank.lf.observe;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * The outcome of a liveness probe ({@link org.cabrank.lf.LeaderFollowersPool#liveness}): what keeps a pool, or several, from
 * serving.
 * Immutable.
 *
 * @param problems empty if the pool serves
 */
public record Liveness(List<Problem> problems) {
    public static final Liveness LIVE = new Liveness(List.of());

    /** Default of the limit from which a state that may pass is a problem. */
    public static final Duration LIMIT_DEFAULT = Duration.ofSeconds(10);

    /** Kind of a problem. */
    public enum Kind {
        /** The pool has failed ({@link org.cabrank.lf.LeaderFollowersPool#failure}): none of its sets is served. */
        POOL_FAILED,
        /** No thread takes part in the pool, which was not stopped. */
        NO_THREADS,
        /**
         * No thread waits for the events of a handle set: leadership is vacant, or the leader's handler is slow and no
         * follower is left to take over, or the leader does not return to watch.
         */
        UNWATCHED_SET,
        /** Every thread of the pool runs one handler for longer than the limit. */
        ALL_THREADS_BLOCKED
    }

    /**
     * A problem of one pool.
     *
     * @param pool the pool's name
     * @param set the index of the handle set in the pool; -1: of the whole pool
     * @param lasting for how long probes have seen it; 0 of a failed pool
     * @param reason the cause, for a log or a health page
     */
    public record Problem(String pool, Kind kind, int set, Duration lasting, String reason) {
        /** {@code set} of a problem that is not of one set. */
        public static final int WHOLE_POOL = -1;

        public Problem {
            Objects.requireNonNull(pool, "pool");
            Objects.requireNonNull(kind, "kind");
            Objects.requireNonNull(lasting, "lasting");
            Objects.requireNonNull(reason, "reason");
        }

        @Override
        public String toString() {
            return "pool " + pool + ": " + reason;
        }
    }

    public Liveness {
        problems = List.copyOf(problems);
    }

    public boolean isLive() {
        return problems.isEmpty();
    }

    /** Returns these problems together with the problems of other pools. */
    public Liveness plus(Liveness others) {
        List<Problem> all = new ArrayList<>(problems);
        all.addAll(others.problems);
        return new Liveness(all);
    }

    @Override
    public String toString() {
        return isLive() ? "live" : problems.stream().map(Problem::toString).collect(Collectors.joining("; "));
    }
}
