package org.cabrank.bench.model;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.cabrank.affinity.Affinity;
import org.cabrank.affinity.CpuList;
import org.cabrank.bench.report.Statistics;
import org.cabrank.kernel.Kernel;

/**
 * What threads cost each other.
 *
 * @param promotionNs two compare-and-sets of a word that nobody else touches
 * @param transferNs of a modified cache line from one CPU to another; NaN: there are no two
 * @param wakeupNs from waking a sleeping thread until it runs
 * @param unparkNs the call alone
 */
record ThreadTimings(double promotionNs, double transferNs, double wakeupNs, double unparkNs) {

    private static final int BATCHES = 400;
    private static final int ROUNDS = 20;
    private static final int PROMOTIONS = 5_000;
    private static final long STOP = -2;

    /** So that one that sleeps sees in the end that the other has died. */
    private static final long LOST_WAKEUP_NS = 100_000_000;

    /** On the first two CPUs of {@code allowed}; the calling thread is where it was before. */
    static ThreadTimings measure(Kernel kernel, CpuList allowed) throws IOException, InterruptedException {
        Affinity affinity = new Affinity(kernel);
        CpuList before = affinity.current();
        int[] cpus = allowed.cpus().limit(2).toArray();
        CpuList second = CpuList.of(cpus[cpus.length - 1]);
        affinity.pin(CpuList.of(cpus[0]));
        try {
            double transferNs = cpus.length < 2 ? Double.NaN : roundNs(new Echo(false), affinity, second) / 2;
            Echo sleeping = new Echo(true);
            double wakeupNs = roundNs(sleeping, affinity, second) / 2;
            return new ThreadTimings(twoSwapsNs(), transferNs, wakeupNs, sleeping.unparkNs());
        } finally {
            affinity.pin(before);
        }
    }

    private static double twoSwapsNs() throws IOException {
        AtomicLong word = new AtomicLong();
        return CostCalibration.shortest(BATCHES, () -> {
            long startNs = System.nanoTime();
            for (int i = 0; i < PROMOTIONS; i++) {
                word.compareAndSet(0, 1);
                word.compareAndSet(1, 0);
            }
            return (double) (System.nanoTime() - startNs) / PROMOTIONS;
        });
    }

    /** There and back again, with the other side on {@code cpu}. */
    private static double roundNs(Echo echo, Affinity affinity, CpuList cpu) throws IOException, InterruptedException {
        Thread other = new Thread(
                () -> {
                    try {
                        affinity.pin(cpu);
                    } catch (IOException refused) {
                        throw new UncheckedIOException(refused); // its end is seen by the one who waits
                    }
                    echo.answerUntilStopped();
                },
                "cabrank-model-echo");
        other.setDaemon(true);
        other.start();
        try {
            return CostCalibration.shortest(BATCHES, () -> {
                long startNs = System.nanoTime();
                for (int i = 0; i < ROUNDS; i++) {
                    echo.round(other);
                }
                return (double) (System.nanoTime() - startNs) / ROUNDS;
            });
        } finally {
            echo.stop(other);
            other.join();
        }
    }

    /** A ball between two threads: odd on its way there, even on its way back. */
    private static final class Echo {
        private final boolean sleeps;
        private final AtomicLong ball = new AtomicLong();
        private final Thread first = Thread.currentThread();
        private final double[] unparksNs = new double[BATCHES * ROUNDS];
        private int unparks;

        Echo(boolean sleeps) {
            this.sleeps = sleeps;
        }

        /** On the first thread. */
        void round(Thread other) throws IOException {
            long there = ball.get() + 1;
            ball.set(there);
            if (sleeps) {
                long startNs = System.nanoTime();
                LockSupport.unpark(other);
                unparksNs[unparks++] = System.nanoTime() - startNs;
            }
            while (ball.get() == there) {
                if (!other.isAlive()) {
                    throw new IOException("the other thread of the measurement has ended: see its exception");
                }
                pause();
            }
        }

        /** The median: the shortest are of calls that found the other still awake. */
        double unparkNs() {
            return Statistics.median(Arrays.copyOf(unparksNs, unparks));
        }

        void stop(Thread other) {
            ball.set(STOP);
            LockSupport.unpark(other);
        }

        /** On the other thread. */
        void answerUntilStopped() {
            for (long seen = ball.get(); seen != STOP; seen = ball.get()) {
                if (seen % 2 == 0) {
                    pause();
                } else if (ball.compareAndSet(seen, seen + 1) && sleeps) {
                    LockSupport.unpark(first);
                }
            }
        }

        private void pause() {
            if (sleeps) {
                LockSupport.parkNanos(this, LOST_WAKEUP_NS);
            } else {
                Thread.onSpinWait();
            }
        }
    }
}
