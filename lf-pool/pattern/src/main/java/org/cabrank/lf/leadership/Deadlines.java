package org.cabrank.lf.leadership;

import java.time.Duration;

/** Time-outs as instants in ns of a clock that may wrap around. */
public final class Deadlines {
    public static final long FOREVER = Long.MAX_VALUE;

    /** Longest time-out: 100 years. Longer time-outs count as infinite. */
    public static final Duration TIMEOUT_MAX = Duration.ofDays(36_500);

    private Deadlines() {}

    /**
     * Returns {@code time} in ns: 0 if it is negative, at most {@link #TIMEOUT_MAX}, so its sum with any clock reading is not before the
     * reading. Use this to convert a {@link Duration} to ns: {@link Duration#toNanos} throws on overflow.
     */
    public static long ns(Duration time) {
        if (time.isNegative()) {
            return 0;
        }
        return (time.compareTo(TIMEOUT_MAX) < 0 ? time : TIMEOUT_MAX).toNanos();
    }

    /** Returns the time {@code timeout} after {@code nowNs}; {@link #FOREVER} if {@code timeout} is infinite. */
    public static long after(Duration timeout, long nowNs) {
        return timeout.compareTo(TIMEOUT_MAX) < 0 ? nowNs + ns(timeout) : FOREVER;
    }

    public static boolean isPast(long deadlineNs, long nowNs) {
        return deadlineNs != FOREVER && deadlineNs - nowNs <= 0;
    }

    /** Reads the clock only if there is a deadline. */
    public static boolean isPast(long deadlineNs, Parking clock) {
        return deadlineNs != FOREVER && deadlineNs - clock.nanoTime() <= 0;
    }
}
