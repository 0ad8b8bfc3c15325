package org.cabrank.lf;

import java.io.IOException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** A handle set in real time without descriptors: its handles become ready by posts alone. Each step can be made to fail. */
final class PostOnlySet extends HandleSet {
    private final Semaphore interrupts = new Semaphore(0);
    private final Runnable step;

    /** @param step called at the beginning of each wait and of each wake-up; may throw */
    PostOnlySet(Runnable step) {
        super(Deactivation.CLAIM);
        this.step = step;
    }

    @Override
    protected Harvest newHarvest(int eventsMax) {
        return new Harvest() {
            @Override
            protected int await(long timeoutNs) throws IOException {
                step.run();
                boolean interrupted = Thread.interrupted();
                try {
                    if (interrupts.tryAcquire(timeoutNs, TimeUnit.NANOSECONDS)) {
                        interrupts.drainPermits();
                    }
                } catch (InterruptedException empty) {
                    interrupted = true;
                }
                if (interrupted) {
                    Thread.currentThread().interrupt();
                }
                return 0;
            }

            @Override
            protected boolean next() {
                return false;
            }

            @Override
            protected long key() {
                throw new AssertionError("no events");
            }

            @Override
            protected int ready() {
                throw new AssertionError("no events");
            }
        };
    }

    @Override
    protected void interruptAwait() {
        step.run();
        interrupts.release();
    }

    @Override
    protected void rearm(Handle handle) {}

    @Override
    protected void closeDescriptor(Handle handle) {}

    @Override
    public String toString() {
        return "set of posts";
    }
}
