package org.cabrank.lf;

import java.time.Duration;

/** Time-outs as instants of a clock in ns, which may wrap around. */
final class Deadlines {
    /** Longer time-outs are for ever. */
    static final Duration TIMEOUT_MAX = Duration.ofDays(36_500);

    private Deadlines() {}

    /** The instant {@code timeout} after {@code nowNs}, or {@link HandleSet#FOREVER}. */
    static long after(Duration timeout, long nowNs) {
        return timeout.compareTo(TIMEOUT_MAX) < 0 ? nowNs + timeout.toNanos() : HandleSet.FOREVER;
    }

    /** One that fits into ns. */
    static Duration bounded(Duration timeout) {
        return timeout.compareTo(TIMEOUT_MAX) < 0 ? timeout : TIMEOUT_MAX;
    }

    static boolean isPast(long deadlineNs, long nowNs) {
        return deadlineNs != HandleSet.FOREVER && deadlineNs - nowNs <= 0;
    }

    /** As {@link #isPast(long, long)}; the clock is read only if there is a deadline. */
    static boolean isPast(long deadlineNs, Parking clock) {
        return deadlineNs != HandleSet.FOREVER && deadlineNs - clock.nanoTime() <= 0;
    }
}
