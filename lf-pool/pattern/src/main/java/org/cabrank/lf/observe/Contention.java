package org.cabrank.lf.observe;

import java.util.Locale;

/**
 * Contention of a pool's threads at its leadership words, measured between two {@link LeadershipCounters}; an event is a call of a handler.
 * A pool is contended if one measure reaches its threshold, after {@value #EVENTS_MIN} events or more:
 * <ul>
 *   <li>{@link #wakeupsPerEvent} {@value #WAKEUPS_PER_EVENT}: one wake-up, which takes some microseconds, costs about as much as a short
 *       request;
 *   <li>{@link #handOverWaitShare} {@value #HAND_OVER_WAIT_SHARE}: share of the time in which a set was unwatched because its next leader
 *       had not woken up yet;
 *   <li>{@link #failedTakeoversPerEvent} {@value #FAILED_TAKEOVERS_PER_EVENT}: handlers take about as long as the gap, and leader
 *       and watcher race for the word;
 *   <li>{@link #lockWaitsPerEvent} {@value #LOCK_WAITS_PER_EVENT}: threads meet at the lock of the followers' line.
 * </ul>
 * @param events number of events that were processed in between
 * @param handOverWaitShare share of the time in between; a sum over the sets, so it may exceed 1
 * @param contended true if a threshold was reached
 * @param advice remedy as text; empty if there is none
 */
public record Contention(
        long events,
        double wakeupsPerEvent,
        double handOverWaitShare,
        double failedTakeoversPerEvent,
        double lockWaitsPerEvent,
        boolean contended,
        String advice) {
    /** Minimum number of events for contention. */
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
