package org.cabrank.lf.leadership;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Decision under deferred promotion to promote before each event for a while, as eager promotion does, because handlers block so
 * often that the standby's takeovers would hold up other events.
 *
 * <p>A takeover costs some 200 us in which nobody watches, a promotion some 5 us of the CPU. So one blocked handler in 32 makes
 * early promotion cheaper: the last {@link #TAKEOVERS} takeovers from blocked leaders lie within {@link #EVENTS_MAX} events. Early
 * promotion lasts for {@link #EARLY_EVENTS} events, and again as long while one event in 32 takes longer than a look of the alert
 * standby.
 *
 * <p>Invariants:
 *
 * <ol>
 *   <li>Only the leader of the set reads and writes the plain fields, and the {@link LeadershipWord} publishes them to the next
 *       leader.
 *   <li>Events are counted by the sequence of the leadership word, which counts those of every leader.
 * </ol>
 */
public final class EarlyPromotion {
    /** Named bound: takeovers from blocked leaders that are remembered. */
    public static final int TAKEOVERS = 8;

    /** Blocked handlers are frequent at one in as many events. */
    private static final int FREQUENT = 32;

    /** Named bound: events within which the remembered takeovers must lie. */
    public static final int EVENTS_MAX = TAKEOVERS * FREQUENT;

    /** Named bound: events of early promotion before it is decided again. */
    public static final int EARLY_EVENTS = 1024;

    /** Distances of sequences are of 48 bits. */
    private static final int UNUSED_BITS = 16;

    private final long slowNs;

    /** Sequences at the last takeovers, the oldest at {@link #oldest}. */
    private final long[] takeovers = new long[TAKEOVERS];

    private int remembered;
    private int oldest;
    private boolean early;
    private long decidedAt;

    /** Early promoted events that took long, since the last decision. Threads that do not lead any more add to it. */
    private final AtomicInteger slow = new AtomicInteger();

    /** @param slowNs processing time in ns from which an event counts as slow */
    public EarlyPromotion(long slowNs) {
        this.slowNs = slowNs;
    }

    /** Leader, which has just taken over from a leader that was blocked in the event with the word {@code seen}. */
    void noteTakeover(long seen) {
        long sequence = LeadershipWord.sequence(seen);
        long first = takeovers[oldest];
        takeovers[oldest] = sequence;
        oldest = (oldest + 1) % TAKEOVERS;
        if (remembered < TAKEOVERS) {
            remembered++;
        } else if (!early && distance(first, sequence) <= EVENTS_MAX) {
            early = true;
            decidedAt = sequence;
            slow.set(0);
        }
    }

    /** Leader, before it processes an event: true if it is to promote a follower first. */
    boolean isDue(LeadershipWord word) {
        return early && goesOn(LeadershipWord.sequence(word.wordAcquire()));
    }

    private boolean goesOn(long sequence) {
        if (distance(decidedAt, sequence) >= EARLY_EVENTS) {
            early = slow.getAndSet(0) >= EARLY_EVENTS / FREQUENT;
            decidedAt = sequence;
        }
        return early;
    }

    /** The thread that has processed an event which was promoted early. */
    void processed(long tookNs) {
        if (tookNs >= slowNs) {
            slow.incrementAndGet();
        }
    }

    private static long distance(long from, long to) {
        return to - from << UNUSED_BITS >>> UNUSED_BITS;
    }
}
