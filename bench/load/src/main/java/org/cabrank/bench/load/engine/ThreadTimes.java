package org.cabrank.bench.load.engine;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.List;

/** CPU time of the generator's threads. */
public final class ThreadTimes {
    private final ThreadMXBean times = ManagementFactory.getThreadMXBean();
    private final List<Thread> threads;

    /** {@code atNs} is a value of System.nanoTime(). {@code usedNs} is the CPU time of all threads together. */
    public record Reading(long atNs, long usedNs) {
        public static final Reading NONE = new Reading(0, 0);
    }

    public ThreadTimes(List<Thread> threads) {
        this.threads = threads;
    }

    /** Called before the threads end, because the CPU time of an ended thread is not counted. */
    public Reading read() {
        long usedNs = 0;
        for (Thread thread : threads) {
            // The time is -1 if the thread has ended. A thread ends early only if all its connections have failed. Then
            // the run fails.
            usedNs += Math.max(0, times.getThreadCpuTime(thread.getId()));
        }
        return new Reading(System.nanoTime(), usedNs);
    }
}
