package org.cabrank.bench.handler;

/** Slowness that changes while a server runs, so that one process can serve several cells. At first, no request is slow. */
public final class SlowSwitch implements SlowChoice {

    private volatile SlowRequests now = SlowRequests.NONE;

    @Override
    public SlowRequests now() {
        return now;
    }

    @Override
    public boolean mayBlock() {
        return true;
    }

    public void set(SlowRequests next) {
        next.prepare();
        now = next;
    }
}
