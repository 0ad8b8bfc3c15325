package org.cabrank.lf.leadership;

import java.time.Duration;

/** Converts time-outs to deadlines. A deadline is a time in ns of a clock that may wrap around. */
public final class Deadlines {
    public static final long FOREVER = Long.MAX_VALUE;

    /** Longest time-out: 100 years. Longer time-outs count as infinite. */
    public static final Duration TIMEOUT_MAX = Duration.ofDays(36_500);

    private Deadlines() {}

    /** Returns {@code time} in ns, at least 0 and at most {@link #TIMEOUT_MAX}. So the sum with a time of the clock does not overflow. */
    public static long ns(Duration time) {
        if (time.isNegative()) {
            return 0;
        }
        return (time.compareTo(TIMEOUT_MAX) < 0 ? time : TIMEOUT_MAX).toNanos();
    }

    /** Returns the deadline that is {@code timeout} after {@code nowNs}. If {@code timeout} is infinite, returns {@link #FOREVER}. */
    public static long after(Duration timeout, long nowNs) {
        return timeout.compareTo(TIMEOUT_MAX) < 0 ? nowNs + ns(timeout) : FOREVER;
    }

    public static boolean isPast(long deadlineNs, long nowNs) {
        return deadlineNs != FOREVER && deadlineNs - nowNs <= 0;
    }

    public static boolean isPast(long deadlineNs, Parking clock) {
        return deadlineNs != FOREVER && deadlineNs - clock.nanoTime() <= 0;
    }
}
