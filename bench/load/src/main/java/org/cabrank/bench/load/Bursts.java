package org.cabrank.bench.load;

/** Sends bursts at a fixed interval, on all connections at once. Latency counts from the due time of a burst. */
final class Bursts implements SendingPace {

    private final int requests;
    private final long intervalNs;
    private final LoadCounters counters;
    private Requester[] active = {};
    private long[] sent = {};
    private long firstNs;
    private long begun;

    Bursts(int requests, long intervalNs, LoadCounters counters) {
        this.requests = requests;
        this.intervalNs = intervalNs;
        this.counters = counters;
    }

    @Override
    public void begin(Requester[] all, long nowNs) {
        active = all;
        sent = new long[all.length];
        // All workers begin at a multiple of the interval on the same clock, so their bursts coincide.
        firstNs = (nowNs / intervalNs + 1) * intervalNs;
    }

    @Override
    public void free(Requester requester, long nowNs) {
        int place = requester.place();
        if (sent[place] < begun * requests) {
            requester.request(intendedNs(sent[place]));
            sent[place]++;
        }
    }

    @Override
    public long sendDue(long nowNs) {
        long begunBefore = begun;
        long dueNs = firstNs + begun * intervalNs;
        for (; dueNs - nowNs <= 0; dueNs += intervalNs) {
            // Only the first send decides if a burst is late, because sending on thousands of connections takes time.
            counters.sentOnTime(requests * active.length, nowNs - dueNs > LATE_NS);
            begun++;
        }
        if (begun > begunBefore) {
            for (Requester requester : active) {
                for (int room = requester.room(); room > 0; room--) {
                    free(requester, nowNs);
                }
                requester.flush();
            }
        }
        return dueNs;
    }

    private long intendedNs(long request) {
        return firstNs + request / requests * intervalNs;
    }
}
