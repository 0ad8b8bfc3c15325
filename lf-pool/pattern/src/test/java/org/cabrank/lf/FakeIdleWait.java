package org.cabrank.lf;

import java.io.IOException;
import java.util.function.BooleanSupplier;

/** Wait of an idle watcher in virtual time. */
final class FakeIdleWait implements IdleWait {
    private final VirtualTime time;
    private final BooleanSupplier eventsWait;
    private IOException refusal;
    private volatile Runnable atGivingWay = () -> {};
    private Thread watcher;
    private int opened;
    private int closed;

    /** @param eventsWait true while there are events that no leader has harvested */
    FakeIdleWait(VirtualTime time, BooleanSupplier eventsWait) {
        this.time = time;
        this.eventsWait = eventsWait;
    }

    void opened() {
        opened++;
    }

    /** The kernel does not give the thread another priority. */
    void refuse(IOException cause) {
        refusal = cause;
    }

    /** Runs once, on the watcher, when other threads run first. */
    void whenItGivesWay(Runnable action) {
        time.change(() -> atGivingWay = action);
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
        time.rest(eventsWait, timeoutNs);
        return eventsWait.getAsBoolean();
    }

    @Override
    public void giveWay() {
        Runnable action = atGivingWay;
        atGivingWay = () -> {};
        action.run();
    }

    @Override
    public void close() {
        time.change(() -> closed++);
    }

    /** Null before the watcher has begun. */
    Thread watcher() {
        return watcher;
    }

    int timesOpened() {
        return opened;
    }

    int timesClosed() {
        return closed;
    }
}
