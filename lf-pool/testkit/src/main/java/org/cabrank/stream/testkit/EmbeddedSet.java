package org.cabrank.stream.testkit;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.cabrank.lf.LeaderFollowersPool;
import org.cabrank.lf.handle.Deactivation;
import org.cabrank.lf.handle.EventHandler;
import org.cabrank.lf.handle.Handle;
import org.cabrank.lf.handle.HandleSet;
import org.cabrank.lf.handle.Harvest;
import org.cabrank.lf.handle.Ready;
import org.cabrank.stream.transport.StreamConnection;

/** A handle set of one handle; a test creates its events and moves its clock. */
final class EmbeddedSet extends HandleSet {
    /** Maximum time of a callback. */
    private static final long CALLBACK_MAX_S = 30;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final VirtualWaits waits = new VirtualWaits(this::nanoTime);

    // Guarded by the lock.

    private Handle handle;
    private long nowNs = 1;
    private boolean eventDue;
    private boolean interrupted;

    /** True if the pool's thread waits and nothing ends its wait. */
    private boolean idle;

    EmbeddedSet() {
        super(Deactivation.CLAIM);
    }

    Handle register(EventHandler handler) {
        handle = new Handle(this, handler, false, StreamConnection.WHEN_OFFLOADED) {
            @Override
            public String toString() {
                return "an embedded connection";
            }
        };
        admit(handle);
        return handle;
    }

    /** Runs {@code change}, dispatches the handle, and waits until the pool's thread has nothing to do. */
    void act(Runnable change) {
        wakeWith(() -> {
            change.run();
            eventDue = true;
        });
        awaitIdle();
    }

    void advance(long ns) {
        wakeWith(() -> nowNs += ns);
        waits.wakeDue();
        awaitIdle();
    }

    private void wakeWith(Runnable change) {
        lock.lock();
        try {
            change.run();
            idle = false;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    VirtualWaits waits() {
        return waits;
    }

    void awaitIdle() {
        lock.lock();
        try {
            long leftNs = TimeUnit.SECONDS.toNanos(CALLBACK_MAX_S);
            while (!idle && !LeaderFollowersPool.of(this).isTerminated()) {
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
        wakeWith(() -> interrupted = true);
    }

    @Override
    protected void rearm(Handle armed) {
        // nothing to do, because each change by the test is an event
    }

    @Override
    protected void closeDescriptor(Handle closed) {
        // there is no descriptor
    }
}
