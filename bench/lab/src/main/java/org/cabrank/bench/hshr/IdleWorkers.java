package org.cabrank.bench.hshr;

import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;

/**
 * The sleeping workers, and waking no more of them than needed: while a worker is searching the queue (just woken, or
 * spinning), no other is woken. A worker that finds a request and sees more of them wakes the next.
 *
 * <p>Against lost wake-ups both sides write, fence and read: a worker marks itself asleep and then checks the queue once
 * more; the producer puts a request into the queue and then checks for sleepers. At least one of the two sees the other's
 * write.
 */
final class IdleWorkers {

    private static final int BITS = Long.SIZE;

    private final Thread[] threads;

    /** A bit per worker. Of several sleepers the one with the lowest number is woken: it was awake last, most likely. */
    private final AtomicLongArray asleep;

    private final AtomicBoolean searching = new AtomicBoolean();

    /** {@code threads} is complete before anybody sleeps. */
    IdleWorkers(Thread[] threads) {
        this.threads = threads;
        asleep = new AtomicLongArray((threads.length + BITS - 1) / BITS);
    }

    /** Any thread, after it has put something into the queue or seen that there is more. */
    void wakeOne() {
        VarHandle.fullFence();
        // Again when nobody was found: whoever saw this search has relied on it, and somebody may have lain down since.
        while (anybodySleeps() && beginSearch()) {
            int worker = takeSleeper();
            if (worker >= 0) {
                LockSupport.unpark(threads[worker]); // ends the search when it is up
                return;
            }
            endSearch();
        }
    }

    /** Returns true if the caller has become the searching worker; the caller must then call {@link #endSearch}. */
    boolean beginSearch() {
        return !searching.get() && searching.compareAndSet(false, true);
    }

    /** The caller looks at the queue after this, or takes what it has found. */
    void endSearch() {
        searching.set(false);
        VarHandle.fullFence();
    }

    /** The worker looks at the queue once more after this, before it parks. */
    void lieDown(int worker) {
        change(worker, true);
        VarHandle.fullFence();
    }

    /** Returns true if no thread has woken {@code worker} yet. */
    boolean isAsleep(int worker) {
        return (asleep.get(worker / BITS) & 1L << worker) != 0;
    }

    /** False: it was woken, and has the search to end. */
    boolean getUp(int worker) {
        return change(worker, false);
    }

    void wakeAll() {
        for (Thread thread : threads) {
            LockSupport.unpark(thread);
        }
    }

    private boolean anybodySleeps() {
        for (int word = 0; word < asleep.length(); word++) {
            if (asleep.get(word) != 0) {
                return true;
            }
        }
        return false;
    }

    private int takeSleeper() {
        for (int word = 0; word < asleep.length(); word++) {
            for (long seen = asleep.get(word); seen != 0; seen = asleep.get(word)) {
                int worker = word * BITS + Long.numberOfTrailingZeros(seen);
                if (change(worker, false)) {
                    return worker;
                }
            }
        }
        return -1;
    }

    /** Sets or clears the bit; false: it was so already. */
    private boolean change(int worker, boolean set) {
        int word = worker / BITS;
        long bit = 1L << worker;
        for (; ; ) {
            long seen = asleep.get(word);
            long next = set ? seen | bit : seen & ~bit;
            if (next == seen) {
                return false;
            }
            if (asleep.compareAndSet(word, seen, next)) {
                return true;
            }
        }
    }
}
