package org.cabrank.bench.jmh;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.cabrank.lf.handle.Deactivation;
import org.cabrank.lf.handle.EventHandler;
import org.cabrank.lf.handle.Handle;
import org.cabrank.lf.handle.HandleSet;
import org.cabrank.lf.handle.Harvest;
import org.cabrank.lf.handle.Ready;

/**
 * A handle set without a kernel, to measure a pool without system calls. Each wait returns an event until the batch is complete. The leader
 * then wakes the measuring thread, and sleeps until the next batch. Successive events belong to different handles, so that a handle is free
 * again before its next event.
 */
final class SuppliedSet extends HandleSet {
    private static final int HANDLES = 64;
    private static final Integer INTERRUPT = 0;

    enum Count {
        EVENTS,
        /** Counts only waits after a change of the leader. */
        NEW_LEADERS
    }

    private final Count count;
    private final Handle[] handles = new Handle[HANDLES];
    private final BlockingQueue<Integer> ordered = new LinkedBlockingQueue<>();
    private final Semaphore finished = new Semaphore(0);

    /** A new leader runs this before its first wait. */
    private final Runnable newLeader;

    SuppliedSet(Count count, Runnable newLeader, EventHandler handler) {
        super(Deactivation.CLAIM);
        this.count = count;
        this.newLeader = newLeader;
        for (int i = 0; i < HANDLES; i++) {
            handles[i] = new SuppliedHandle(this, i, handler);
            admit(handles[i]);
        }
    }

    void supply(int batch) throws InterruptedException {
        ordered.add(batch);
        finished.acquire();
    }

    @Override
    protected Harvest newHarvest() {
        return new Supply();
    }

    @Override
    protected void interruptAwait() {
        ordered.add(INTERRUPT);
    }

    @Override
    protected void rearm(Handle handle) {}

    @Override
    protected void closeDescriptor(Handle handle) {}

    /** Used only by the leader. A new leader sees the writes of the previous leader. */
    private final class Supply extends Harvest {
        private Thread leader;
        private int left;
        private boolean inBatch;
        private int next;
        private boolean taken;

        @Override
        protected int await(long timeoutNs) {
            Thread caller = Thread.currentThread();
            boolean moved = leader != caller;
            leader = caller;
            if (moved) {
                newLeader.run();
            }
            if (left > 0 && (moved || count == Count.EVENTS)) {
                left--;
            }
            if (left == 0) {
                if (inBatch) {
                    inBatch = false;
                    finished.release();
                }
                left = nextBatch(timeoutNs);
                if (left == 0) {
                    return 0;
                }
                inBatch = true;
            }
            next = next + 1 & HANDLES - 1;
            taken = false;
            return 1;
        }

        private int nextBatch(long timeoutNs) {
            try {
                Integer batch = timeoutNs == FOREVER ? ordered.take() : ordered.poll(timeoutNs, TimeUnit.NANOSECONDS);
                return batch == null ? 0 : batch;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt(); // the harvest is empty
                return 0;
            }
        }

        @Override
        protected Handle next() {
            boolean first = !taken;
            taken = true;
            return first ? handles[next] : null;
        }

        @Override
        protected int ready() {
            return Ready.READ;
        }
    }

    private static final class SuppliedHandle extends Handle {
        private final int number;

        SuppliedHandle(SuppliedSet set, int number, EventHandler handler) {
            super(set, handler);
            this.number = number;
        }

        @Override
        public String toString() {
            return "handle " + number;
        }
    }
}
