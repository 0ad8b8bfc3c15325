package org.cabrank.lf.observe;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * Result of a liveness probe ({@link org.cabrank.lf.LeaderFollowersPool#liveness}) of one or several pools. Immutable.
 *
 * @param problems reasons why the pools do not serve. Empty if the pools serve
 */
public record Liveness(List<Problem> problems) {
    public static final Liveness LIVE = new Liveness(List.of());

    /** Default limit after which a lasting state is a problem. */
    public static final Duration LIMIT_DEFAULT = Duration.ofSeconds(10);

    /** Kind of a problem. */
    public enum Kind {
        /** The pool has failed ({@link org.cabrank.lf.LeaderFollowersPool#failure}). It serves none of its sets. */
        POOL_FAILED,
        /** No thread takes part in the pool, although the pool was not stopped. */
        NO_THREADS,
        /** No thread watches a set. It has no leader, or its leader does not return and was not replaced. */
        UNWATCHED_SET,
        /** Each thread of the pool has been in the same handler call for longer than the limit. */
        ALL_THREADS_BLOCKED
    }

    /**
     * A problem of one pool.
     *
     * @param pool name of the pool
     * @param set index of the handle set in the pool, or {@link #WHOLE_POOL}
     * @param lasting time for which probes have seen the problem. It is 0 for a failed pool
     * @param reason text for a log or a health page
     */
    public record Problem(String pool, Kind kind, int set, Duration lasting, String reason) {
        /** Value of {@code set} for a problem of the whole pool. */
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
