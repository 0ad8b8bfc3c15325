package org.cabrank.stream.testkit;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.function.LongSupplier;
import org.cabrank.stream.transport.WaitClock;

/**
 * Threads that wait for a connection until the test's clock has reached a time. Thread-safe. A waiting thread takes its own lock first,
 * then this monitor. Therefore {@link #wakeDue} takes the locks of waiting threads only after it has left this monitor.
 */
final class VirtualWaits implements WaitClock {
    private record TimedWait(Lock lock, Condition condition, long untilNs) {
        void wake() {
            lock.lock();
            try {
                condition.signalAll();
            } finally {
                lock.unlock();
            }
        }
    }

    private final LongSupplier nowNs;

    /** Guarded by this. */
    private final List<TimedWait> all = new ArrayList<>();

    VirtualWaits(LongSupplier nowNs) {
        this.nowNs = nowNs;
    }

    @Override
    public long nanoTime() {
        return nowNs.getAsLong();
    }

    @Override
    public void await(Lock lock, Condition condition, long untilNs) throws InterruptedException {
        TimedWait own = new TimedWait(lock, condition, untilNs);
        synchronized (this) {
            // Added before the clock is read, so that a later move of the clock finds the entry. This thread holds the
            // lock until it waits.
            all.add(own);
        }
        try {
            if (untilNs - nanoTime() > 0) {
                condition.await();
            }
        } finally {
            synchronized (this) {
                all.remove(own);
            }
        }
    }

    void wakeDue() {
        long now = nanoTime();
        List<TimedWait> due = new ArrayList<>();
        synchronized (this) {
            for (TimedWait each : all) {
                if (each.untilNs() - now <= 0) {
                    due.add(each);
                }
            }
        }
        due.forEach(TimedWait::wake);
    }
}
