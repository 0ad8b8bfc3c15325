package org.cabrank.lf.observe;

import java.util.Locale;

/**
 * Contention of a pool's threads at its leadership words, measured between two readings of {@link LeadershipCounters}. Here an event is a
 * call of a handler. A pool is contended if it has processed at least {@value #EVENTS_MIN} events, and one of these measures has reached
 * its threshold:
 * <ul>
 *   <li>{@link #wakeupsPerEvent}, threshold {@value #WAKEUPS_PER_EVENT}. A wake-up takes about as long as a short request.
 *   <li>{@link #handOverWaitShare}, threshold {@value #HAND_OVER_WAIT_SHARE}. In this time, a set waits for its next leader to wake up.
 *   <li>{@link #failedTakeoversPerEvent}, threshold {@value #FAILED_TAKEOVERS_PER_EVENT}. If it is high, handlers take as long as the gap.
 *   <li>{@link #lockWaitsPerEvent}, threshold {@value #LOCK_WAITS_PER_EVENT}. Threads meet at the lock of the followers.
 * </ul>
 * @param events number of events that were processed between the readings
 * @param handOverWaitShare share of the time in which sets waited for their next leader. It is a sum over the sets, so it may exceed 1
 * @param contended true if a threshold was reached
 * @param advice remedy as text, or "" if there is none
 */
public record Contention(
        long events,
        double wakeupsPerEvent,
        double handOverWaitShare,
        double failedTakeoversPerEvent,
        double lockWaitsPerEvent,
        boolean contended,
        String advice) {
    /** With fewer events than this, contention is not reported. */
    public static final long EVENTS_MIN = 1000;

    public static final double WAKEUPS_PER_EVENT = 0.5;
    public static final double HAND_OVER_WAIT_SHARE = 0.2;
    public static final double FAILED_TAKEOVERS_PER_EVENT = 0.01;
    public static final double LOCK_WAITS_PER_EVENT = 0.05;

    private static final String MORE_SHARDS = "more shards with fewer threads each share fewer words";

    /** Compares two readings of a pool's counters. {@code eager} is true if the pool promotes eagerly. */
    public static Contention between(LeadershipCounters earlier, LeadershipCounters later, boolean eager) {
        long events = later.processed() - earlier.processed();
        double each = Math.max(1, events);
        double wakeups = (later.wakeups() - earlier.wakeups()) / each;
        double waitShare = (later.handOverWaitNs() - earlier.handOverWaitNs())
                / (double) Math.max(1, later.atNs() - earlier.atNs());
        double failed = (later.failedTakeovers() - earlier.failedTakeovers()) / each;
        double locks = (later.lockWaits() - earlier.lockWaits()) / each;
        String advice = "";
        if (events >= EVENTS_MIN) {
            if (wakeups >= WAKEUPS_PER_EVENT || waitShare >= HAND_OVER_WAIT_SHARE) {
                advice = eager
                        ? "deferred promotion saves the wake-up of every event; and " + MORE_SHARDS
                        : "handlers are often slower than the gap: a longer gap wakes fewer, handing slow work away wakes none;"
                                + " and " + MORE_SHARDS;
            } else if (failed >= FAILED_TAKEOVERS_PER_EVENT) {
                advice = "handlers take about as long as the gap: a longer or shorter one ends the race";
            } else if (locks >= LOCK_WAITS_PER_EVENT) {
                advice = MORE_SHARDS;
            }
        }
        return new Contention(events, wakeups, waitShare, failed, locks, !advice.isEmpty(), advice);
    }

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "%s: %.3f wake-ups, %.4f failed takeovers and %.4f waits for the lock for each event; %.1f %% of the time passed"
                        + " until new leaders had woken up%s",
                contended ? "contended" : "not contended",
                wakeupsPerEvent,
                failedTakeoversPerEvent,
                lockWaitsPerEvent,
                100 * handOverWaitShare,
                advice.isEmpty() ? "" : "; " + advice);
    }
}
