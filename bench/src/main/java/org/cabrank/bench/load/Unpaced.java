package org.cabrank.bench.load;

/** A pace that sends nothing, for connections that send by themselves or stay idle. */
final class Unpaced implements SendingPace {

    @Override
    public void begin(Requester[] active, long nowNs) {
        // Nothing to send.
    }

    @Override
    public void free(Requester requester, long nowNs) {
        // Nothing to send.
    }

    @Override
    public long sendDue(long nowNs) {
        return NEVER;
    }
}
