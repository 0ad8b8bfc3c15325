package org.cabrank.bench.load;

/** Sends at a fixed average rate. To avoid coordinated omission, latency counts from the due time even if a request is sent late. */
final class FixedRate implements SendingPace {

    private final FifoSlots slots;
    private final double intervalNs;
    private final LoadCounters counters;
    private long startNs;

    /** Due time of the next request, in ns since the start. */
    private double dueNs;

    FixedRate(FifoSlots slots, double perSecond, LoadCounters counters) {
        this.slots = slots;
        intervalNs = 1e9 / perSecond;
        this.counters = counters;
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
            dueNs += intervalNs;
            dueAtNs = startNs + (long) dueNs;
        }
        return dueAtNs;
    }
}
