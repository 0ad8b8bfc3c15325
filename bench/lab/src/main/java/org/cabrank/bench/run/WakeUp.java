package org.cabrank.bench.run;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;

/**
 * Time that a thread runs later than the time for which it wanted to wait: the timer's slack, the kernel's way to the thread, and the
 * CPU's way out of its idle state. Measured in a process of its own on a server's CPUs.
 */
public final class WakeUp {

    private static final String ANSWER = "wake-up ";
    private static final int WAITS = 1_000;
    private static final int WARMUP_WAITS = 200;
    private static final long TIMEOUT_NS = TimeUnit.SECONDS.toNanos(120);
    private static final long LATE_NS_MAX = TimeUnit.SECONDS.toNanos(60);
    private static final int DIGITS = 3;
    private static final double P99 = 99;

    private WakeUp() {}

    /**
     * Times in ns.
     *
     * @param p99Ns percentile 99
     */
    record Times(long meanNs, long p99Ns) {}

    /** Measures waits of {@code waitNs} ns on the servers' CPUs. */
    static Times measure(Stage stage, long waitNs) throws IOException, InterruptedException, ChildFailedException {
        try (Child child = stage.startServer("wake-up", WakeUp.class, List.of(Long.toString(waitNs)))) {
            String[] numbers = child.await(ANSWER, TIMEOUT_NS + WAITS * waitNs).split(" ");
            return new Times(Long.parseLong(numbers[0]), Long.parseLong(numbers[1]));
        }
    }

    /** Prints the times of waits of as many ns as the argument says. */
    public static void main(String[] arguments) {
        Times times = ofThisThread(Long.parseLong(arguments[0]));
        System.out.println(ANSWER + times.meanNs() + " " + times.p99Ns());
    }

    /** Measures on the calling thread. */
    static Times ofThisThread(long waitNs) {
        Histogram late = new Histogram(1, LATE_NS_MAX, DIGITS);
        for (int i = -WARMUP_WAITS; i < WAITS; i++) {
            long lateNs = lateNs(waitNs);
            if (i >= 0) {
                late.recordValue(Math.min(Math.max(1, lateNs), LATE_NS_MAX));
            }
        }
        return new Times(Math.round(late.getMean()), late.getValueAtPercentile(P99));
    }

    private static long lateNs(long waitNs) {
        long dueNs = System.nanoTime() + waitNs;
        long left = waitNs;
        while (left > 0) {
            LockSupport.parkNanos(WakeUp.class, left);
            left = dueNs - System.nanoTime();
        }
        return -left;
    }
}
