package org.cabrank.bench.load;

/**
 * Every connection sends so many requests at the same instant, and again an interval later. What a connection has no room
 * for then, because it still waits for answers to the burst before, goes out late, and its latency counts from the instant.
 */
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
        // The clock's own multiples of the interval: so all workers burst together without a word.
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
            // Sending to thousands takes its time: late is a burst that was not even begun.
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
