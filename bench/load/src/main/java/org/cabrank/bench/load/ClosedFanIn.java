package org.cabrank.bench.load;

/** Keeps a fixed number of requests under way; an answer on one connection lets a request be sent on any connection. */
final class ClosedFanIn implements SendingPace {

    private final Slots slots;
    private final int underWay;

    ClosedFanIn(Slots slots, int underWay) {
        this.slots = slots;
        this.underWay = underWay;
    }

    @Override
    public void begin(Requester[] active, long nowNs) {
        slots.begin(active);
        for (int i = 0; i < underWay; i++) {
            send(nowNs);
        }
    }

    @Override
    public void free(Requester requester, long nowNs) {
        slots.free(requester);
        send(nowNs);
    }

    private void send(long nowNs) {
        Requester next = slots.next();
        if (next != null) {
            next.request(nowNs);
            next.flush();
        }
    }

    @Override
    public long sendDue(long nowNs) {
        return NEVER;
    }
}
