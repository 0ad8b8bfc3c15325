package org.cabrank.stream.testkit;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.cabrank.lf.Deactivation;
import org.cabrank.lf.EventHandler;
import org.cabrank.lf.Handle;
import org.cabrank.lf.HandleSet;
import org.cabrank.lf.Harvest;
import org.cabrank.lf.Ready;

/** A handle set of one handle, whose events a test makes and whose clock a test moves. */
final class EmbeddedSet extends HandleSet {
    /** Named bound: time that a callback may take. */
    private static final long CALLBACK_MAX_S = 30;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final VirtualWaits waits = new VirtualWaits(this::nanoTime);

    // With the lock.

    private EmbeddedHandle handle;
    private long nowNs = 1;
    private boolean eventDue;
    private boolean interrupted;

    /** The pool's thread waits, and nothing ends its wait. */
    private boolean idle;

    EmbeddedSet() {
        super(Deactivation.CLAIM);
    }

    EmbeddedHandle register(EventHandler handler) {
        handle = new EmbeddedHandle(this, handler);
        admit(handle);
        return handle;
    }

    /** Runs {@code change}, has the handle dispatched, and waits until the pool's thread has nothing to do. */
    void act(Runnable change) {
        lock.lock();
        try {
            change.run();
            eventDue = true;
            idle = false;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        settle();
    }

    void advance(long ns) {
        lock.lock();
        try {
            nowNs += ns;
            idle = false;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        waits.wakeDue();
        settle();
    }

    /** The clock, for threads that wait for the connection. */
    VirtualWaits waits() {
        return waits;
    }

    /** Waits until the pool's thread has nothing to do. */
    void settle() {
        lock.lock();
        try {
            long leftNs = TimeUnit.SECONDS.toNanos(CALLBACK_MAX_S);
            while (!idle && !pool().isTerminated()) {
                if (leftNs <= 0) {
                    throw new IllegalStateException("a callback of the embedded connection runs for longer than "
                            + CALLBACK_MAX_S + " s: a handler that waits must offload its work");
                }
                leftNs = changed.awaitNanos(leftNs);
            }
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while a callback of the embedded connection ran", stop);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public long nanoTime() {
        lock.lock();
        try {
            return nowNs;
        } finally {
            lock.unlock();
        }
    }

    @Override
    protected Harvest newHarvest() {
        return new Harvest() {
            private boolean harvested;

            @Override
            protected int await(long timeoutNs) {
                lock.lock();
                try {
                    long deadlineNs = timeoutNs == FOREVER ? FOREVER : nowNs + timeoutNs;
                    while (!eventDue && !interrupted && nowNs < deadlineNs) {
                        idle = true;
                        changed.signalAll();
                        changed.awaitUninterruptibly();
                    }
                    idle = false;
                    interrupted = false;
                    harvested = eventDue;
                    eventDue = false;
                    return harvested ? 1 : 0;
                } finally {
                    lock.unlock();
                }
            }

            @Override
            protected Handle next() {
                boolean due = harvested;
                harvested = false;
                return due ? handle : null;
            }

            @Override
            protected int ready() {
                return Ready.READ | Ready.WRITE;
            }
        };
    }

    @Override
    protected void interruptAwait() {
        lock.lock();
        try {
            interrupted = true;
            idle = false;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    @Override
    protected void rearm(Handle armed) {
        // each change of the test is an event
    }

    @Override
    protected void closeDescriptor(Handle closed) {
        // there is none
    }
}
