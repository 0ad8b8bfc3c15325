package org.cabrank.bench.load;

/** Asks nothing of anybody: for connections that have been told what to do, or that stay idle. */
final class Unpaced implements Pace {

    @Override
    public void begin(Requester[] active, long nowNs) {
        // They know by themselves.
    }

    @Override
    public void free(Requester requester, long nowNs) {
        // It stays free.
    }

    @Override
    public long sendDue(long nowNs) {
        return NEVER;
    }
}
