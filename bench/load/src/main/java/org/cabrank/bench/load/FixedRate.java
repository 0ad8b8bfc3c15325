package org.cabrank.bench.load;

import java.util.SplittableRandom;

/**
 * Sends at a rate that is fixed on average, independently of the server. If every connection is waiting for an answer when a request is due,
 * the request is sent late, and its latency still counts from its due time: a server that stalls cannot hide the requests
 * that were due during the stall (coordinated omission).
 */
final class FixedRate implements SendingPace {

    private final Slots slots;
    private final Gaps gaps;
    private final LoadCounters counters;
    private long startNs;

    /** Due time of the next request, in ns since the start. */
    private double dueNs;

    /** Times between a request and the next one. */
    @FunctionalInterface
    interface Gaps {

        /** Returns the next time in ns. */
        double nextNs();

        static Gaps constant(double perSecond) {
            double intervalNs = 1e9 / perSecond;
            return () -> intervalNs;
        }

        /** Times of a Poisson process: independent, exponentially distributed. */
        static Gaps poisson(double perSecond, long seed) {
            SplittableRandom random = new SplittableRandom(seed);
            double meanNs = 1e9 / perSecond;
            return () -> -Math.log1p(-random.nextDouble()) * meanNs;
        }
    }

    /** {@code slots} says which connection takes the next request, {@code counters} learns how many were late. */
    FixedRate(Slots slots, Gaps gaps, LoadCounters counters) {
        this.slots = slots;
        this.gaps = gaps;
        this.counters = counters;
    }

    /** Requests at equal distances. */
    FixedRate(Slots slots, double perSecond, LoadCounters counters) {
        this(slots, Gaps.constant(perSecond), counters);
    }

    @Override
    public void begin(Requester[] active, long nowNs) {
        startNs = nowNs;
        slots.begin(active);
    }

    @Override
    public void free(Requester requester, long nowNs) {
        slots.free(requester);
    }

    @Override
    public long sendDue(long nowNs) {
        long dueAtNs = startNs + (long) dueNs;
        while (dueAtNs - nowNs <= 0) {
            Requester requester = slots.next();
            if (requester == null) {
                return NEVER;
            }
            counters.sentOnTime(1, nowNs - dueAtNs > LATE_NS && requester.roomSinceNs() - dueAtNs < 0);
            requester.request(dueAtNs);
            requester.flush();
            dueNs += gaps.nextNs();
            dueAtNs = startNs + (long) dueNs;
        }
        return dueAtNs;
    }
}
