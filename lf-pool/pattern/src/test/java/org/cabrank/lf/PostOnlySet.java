package org.cabrank.lf;

import java.io.IOException;
import java.util.concurrent.locks.LockSupport;
import org.cabrank.lf.handle.Deactivation;
import org.cabrank.lf.handle.Handle;
import org.cabrank.lf.handle.HandleSet;
import org.cabrank.lf.handle.Harvest;

/** A handle set in real time without descriptors: its handles become ready by posts alone. Each step can be made to fail. */
public class PostOnlySet extends HandleSet {
    private final Runnable step;

    /** No semaphore, which forgets a thread to wake where the stack overflows while a permit is released. */
    private volatile boolean interrupted;

    private volatile Thread waiting;

    /** @param step called at the beginning of each wait and of each wake-up; may throw */
    public PostOnlySet(Runnable step) {
        super(Deactivation.CLAIM);
        this.step = step;
    }

    @Override
    protected Harvest newHarvest() {
        return new Harvest() {
            @Override
            protected int await(long timeoutNs) throws IOException {
                step.run();
                boolean statusToRestore = Thread.interrupted();
                long startNs = System.nanoTime();
                waiting = Thread.currentThread();
                while (!interrupted && System.nanoTime() - startNs < timeoutNs) {
                    LockSupport.parkNanos(PostOnlySet.this, timeoutNs - (System.nanoTime() - startNs));
                    statusToRestore |= Thread.interrupted();
                }
                interrupted = false;
                if (statusToRestore) {
                    Thread.currentThread().interrupt();
                }
                return 0;
            }

            @Override
            protected Handle next() {
                return null;
            }

            @Override
            protected int ready() {
                throw new AssertionError("no events");
            }
        };
    }

    /** Returns true if a thread sleeps in a wait. */
    boolean isAwaited() {
        Thread thread = waiting;
        return thread != null && thread.getState() == Thread.State.TIMED_WAITING;
    }

    @Override
    protected void interruptAwait() {
        step.run();
        interrupted = true;
        LockSupport.unpark(waiting);
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
