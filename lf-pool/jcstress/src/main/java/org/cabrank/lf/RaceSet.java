package org.cabrank.lf;

import java.io.IOException;
import java.io.UncheckedIOException;

/** A handle set without a kernel: its leader sleeps until it is interrupted. Its clock stands still at 0. */
final class RaceSet extends HandleSet {
    final Sleep sleep = new Sleep();
    final ReadyList readyList = newReadyList();

    RaceSet() {
        super(Deactivation.CLAIM);
    }

    RaceHandle register(int digit) {
        RaceHandle handle = new RaceHandle(this, digit);
        admit(handle);
        return handle;
    }

    /** Leader: until something happens. */
    void detect() {
        try {
            readyList.detect(FOREVER);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    @Override
    public long nanoTime() {
        return 0;
    }

    @Override
    protected Harvest newHarvest(int eventsMax) {
        return new Harvest() {
            @Override
            protected int await(long timeoutNs) {
                if (timeoutNs == FOREVER) {
                    sleep.sleep();
                }
                return 0;
            }

            @Override
            protected Handle next() {
                return null;
            }

            @Override
            protected int ready() {
                throw new IllegalStateException("nothing is harvested");
            }
        };
    }

    @Override
    protected void interruptAwait() {
        sleep.wake();
    }

    @Override
    protected void rearm(Handle handle) {}

    @Override
    protected void closeDescriptor(Handle handle) {}
}
