package org.cabrank.bench.measure;

/**
 * Resources that a process used between two samples.
 *
 * @param cpuNs CPU time of all its threads: exact, or within about a tick if threads have ended in between
 * @param busiestThreadNs part of {@code cpuNs} used by the busiest thread
 * @param ringThreadsNs part of {@code cpuNs} used by the kernel's threads for its io_uring rings: system time
 * @param compilerNs part of {@code cpuNs} used by a JVM's compiler threads; 0 for other processes
 * @param userTicks timer ticks that found the process in user mode: a sample of the division of {@code cpuNs}
 * @param migrations moves of its threads between CPUs; {@link #UNKNOWN} if the kernel does not report them
 */
public record ProcessUsage(
        long elapsedNs,
        long cpuNs,
        long busiestThreadNs,
        long ringThreadsNs,
        long compilerNs,
        long userTicks,
        long systemTicks,
        long switches,
        long migrations) {

    /** Stands for a count that the kernel does not report. */
    public static final long UNKNOWN = -1;

    public double busiestThread() {
        return elapsedNs == 0 ? 0 : (double) busiestThreadNs / elapsedNs;
    }

    /** Average number of busy CPUs. */
    public double cpusBusy() {
        return elapsedNs == 0 ? 0 : (double) cpuNs / elapsedNs;
    }
}
