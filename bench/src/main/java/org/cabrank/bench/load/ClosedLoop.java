package org.cabrank.bench.load;

/** Each connection sends its next request when one is answered, whatever the others do. */
final class ClosedLoop implements SendingPace {

    @Override
    public void begin(Requester[] active, long nowNs) {
        for (Requester requester : active) {
            for (int room = requester.room(); room > 0; room--) {
                requester.request(nowNs);
            }
            requester.flush();
        }
    }

    @Override
    public void free(Requester requester, long nowNs) {
        requester.request(nowNs);
    }

    @Override
    public long sendDue(long nowNs) {
        return NEVER;
    }
}
