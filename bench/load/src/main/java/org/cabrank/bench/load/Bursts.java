package org.cabrank.bench.load;

/** Sends requests on every connection at the same instant, at intervals. A busy connection sends later; latency counts from the instant. */
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
        // A multiple of the interval on the clock, so that all workers burst together without communication.
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
            // A burst counts as late only if its first send is late: sending to thousands of connections takes time.
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
