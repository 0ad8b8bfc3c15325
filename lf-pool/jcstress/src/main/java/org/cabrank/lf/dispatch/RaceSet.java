package org.cabrank.lf.dispatch;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.function.BooleanSupplier;
import org.cabrank.lf.Sleep;
import org.cabrank.lf.failure.FailureLog;
import org.cabrank.lf.leadership.Deadlines;

/** A dispatcher without a kernel. Its leader sleeps until it is interrupted. Its clock stands still at 0. */
final class RaceSet extends BackendCalls<RaceHandle> {
    final Sleep sleep = new Sleep();
    final Dispatcher dispatcher = new Dispatcher(this, false, new FailureLog(RaceSet.class));
    final ReadyList readyList = dispatcher.newReadyList();

    RaceHandle register(int digit) {
        RaceHandle handle = new RaceHandle(digit);
        dispatcher.admit(handle);
        return handle;
    }

    void detect() {
        try {
            readyList.detect(Deadlines.FOREVER);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    @Override
    public long nanoTime() {
        return 0;
    }

    @Override
    protected HarvestedEvents newHarvest() {
        return new HarvestedEvents() {
            @Override
            protected int await(long timeoutNs) {
                if (timeoutNs == Deadlines.FOREVER) {
                    sleep.sleep();
                }
                return 0;
            }

            @Override
            protected HandleState next() {
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
    protected void rearm(RaceHandle handle) {}

    @Override
    protected void closeDescriptor(RaceHandle handle) {}

    @Override
    protected void submitRequests() {}

    @Override
    protected BooleanSupplier newThreadProbe() {
        return () -> true;
    }
}
