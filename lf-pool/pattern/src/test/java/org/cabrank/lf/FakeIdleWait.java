package org.cabrank.lf;

import java.io.IOException;
import java.util.function.BooleanSupplier;

/** Wait of an idle watcher in virtual time. */
final class FakeIdleWait implements IdleWait {
    private final VirtualTime time;
    /** Virtual time for which the watcher gives way. */
    static final long GIVE_WAY_NS = 1_000;

    private final BooleanSupplier eventsWait;
    private final BooleanSupplier stopping;
    private IOException refusal;
    private Thread watcher;
    private int opened;

    /**
     * @param eventsWait true while there are events that no leader has harvested
     * @param stopping true when the pool stops
     */
    FakeIdleWait(VirtualTime time, BooleanSupplier eventsWait, BooleanSupplier stopping) {
        this.time = time;
        this.eventsWait = eventsWait;
        this.stopping = stopping;
    }

    void opened() {
        time.change(() -> opened++);
    }

    /** The kernel does not give the thread another priority. */
    void refuse(IOException cause) {
        refusal = cause;
    }

    @Override
    public void begin() throws IOException {
        time.change(() -> watcher = Thread.currentThread());
        if (refusal != null) {
            throw refusal;
        }
    }

    @Override
    public boolean await(long timeoutNs) {
        time.rest(() -> eventsWait.getAsBoolean() || stopping.getAsBoolean(), timeoutNs);
        return eventsWait.getAsBoolean();
    }

    @Override
    public void giveWay() {
        time.rest(stopping, GIVE_WAY_NS);
    }

    /** Null before the watcher has begun. */
    Thread watcher() {
        return watcher;
    }

    int timesOpened() {
        return opened;
    }
}
