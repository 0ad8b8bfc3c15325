package org.cabrank.lf.leadership;

import java.time.Duration;

/** Time-outs as instants of a clock in ns, which may wrap around. */
public final class Deadlines {
    /** No deadline: a wait without a bound. */
    public static final long FOREVER = Long.MAX_VALUE;

    /** Longer time-outs count as infinite. */
    public static final Duration TIMEOUT_MAX = Duration.ofDays(36_500);

    private Deadlines() {}

    /** The instant {@code timeout} after {@code nowNs}, or {@link #FOREVER}. */
    public static long after(Duration timeout, long nowNs) {
        return timeout.compareTo(TIMEOUT_MAX) < 0 ? nowNs + timeout.toNanos() : FOREVER;
    }

    /** One that fits into ns. */
    public static Duration bounded(Duration timeout) {
        return timeout.compareTo(TIMEOUT_MAX) < 0 ? timeout : TIMEOUT_MAX;
    }

    public static boolean isPast(long deadlineNs, long nowNs) {
        return deadlineNs != FOREVER && deadlineNs - nowNs <= 0;
    }

    /** Returns true if the deadline is past; reads the clock only if there is a deadline. */
    public static boolean isPast(long deadlineNs, Parking clock) {
        return deadlineNs != FOREVER && deadlineNs - clock.nanoTime() <= 0;
    }
}
