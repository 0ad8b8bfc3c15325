package org.cabrank.bench.load.engine;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.List;

/** CPU time of the generator's threads. Any thread. */
public final class ThreadTimes {
    private final ThreadMXBean times = ManagementFactory.getThreadMXBean();
    private final List<Thread> threads;

    /** {@code atNs} is of System.nanoTime; {@code usedNs} is the CPU time of all threads together. */
    public record Reading(long atNs, long usedNs) {
        public static final Reading NONE = new Reading(0, 0);
    }

    public ThreadTimes(List<Thread> threads) {
        this.threads = threads;
    }

    /** A thread that has ended adds nothing, so the reading must be taken before the threads end. */
    public Reading read() {
        long usedNs = 0;
        for (Thread thread : threads) {
            // -1 if the thread has ended: then all its sockets have failed, and the run has failed with them.
            usedNs += Math.max(0, times.getThreadCpuTime(thread.getId()));
        }
        return new Reading(System.nanoTime(), usedNs);
    }
}
