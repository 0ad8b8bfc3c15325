package org.cabrank.lf;

import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReference;

/** Two threads that meet in the same word or state, thousands of times a round, for as many rounds as time allows. */
final class Race {
    /** Named bound: what a machine with CPUs to spare gets through; a busy one stops when the time is up. */
    private static final int ROUNDS_MAX = 60;

    /** Named bound: no further round, or post, is begun then. */
    static final long TIME_MAX_NS = TimeUnit.MILLISECONDS.toNanos(300);

    /** Of each round. */
    static final int MEETINGS = 4_000;

    /** Named bound: looks for the other side before a meeting; then it is missed, because the other has no CPU. */
    private static final int LOOKS_MAX = 2_000;

    private Race() {}

    /** Action of one of two threads at the n-th meeting of a round. */
    interface Side {
        void meet(int meeting);
    }

    /**
     * Both sides go through all meetings of a round at the same time; {@code check} looks at each afterwards. There is one
     * round at least.
     */
    static void run(Runnable prepare, Side one, Side other, Side check) throws InterruptedException {
        CyclicBarrier together = new CyclicBarrier(2);
        AtomicIntegerArray at = new AtomicIntegerArray(32); // one element each, a cache line apart
        AtomicReference<Throwable> failure = new AtomicReference<>();
        long begunNs = System.nanoTime();
        int round = 0;
        do {
            prepare.run();
            Thread rival = new Thread(() -> walk(together, at, 0, other, failure));
            rival.start();
            walk(together, at, 16, one, failure);
            rival.join();
            assertNull(failure.get());
            for (int meeting = 0; meeting < MEETINGS; meeting++) {
                check.meet(meeting);
            }
            round++;
        } while (round < ROUNDS_MAX && System.nanoTime() - begunNs < TIME_MAX_NS);
    }

    private static void walk(
            CyclicBarrier together, AtomicIntegerArray at, int mine, Side side, AtomicReference<Throwable> failure) {
        try {
            at.set(mine, 0);
            together.await();
            for (int meeting = 0; meeting < MEETINGS; meeting++) {
                at.set(mine, meeting);
                for (int look = 0; look < LOOKS_MAX && at.get(16 - mine) < meeting; look++) {
                    Thread.onSpinWait();
                }
                side.meet(meeting);
            }
        } catch (Throwable e) { // an assertion of a side, too
            failure.compareAndSet(null, e);
        }
    }
}
