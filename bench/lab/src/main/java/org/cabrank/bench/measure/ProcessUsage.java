package org.cabrank.bench.measure;

/**
 * Resources that a process used between two samples.
 *
 * @param elapsedNs wall-clock time between them in ns
 * @param cpuNs CPU time of all its threads in ns, exact; to about a tick if threads have ended in between
 * @param busiestThreadNs part of {@code cpuNs} used by the busiest thread
 * @param ringThreadsNs part of {@code cpuNs} used by the kernel's threads for its io_uring rings: system time
 * @param compilerNs part of {@code cpuNs} used by a JVM's compiler threads; 0 for other processes
 * @param userTicks number of timer ticks that found the process in user mode: a sample of the division of {@code cpuNs}
 * @param systemTicks number of timer ticks that found the process in kernel mode
 * @param switches context switches of all its threads
 * @param migrations number of moves of its threads between CPUs; {@link #UNKNOWN} if the kernel does not report them
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

    /** Value of a count that the kernel does not report. */
    public static final long UNKNOWN = -1;

    public double busiestThread() {
        return elapsedNs == 0 ? 0 : (double) busiestThreadNs / elapsedNs;
    }

    /** Average number of busy CPUs: 1.0 is one CPU without a pause. */
    public double cpusBusy() {
        return elapsedNs == 0 ? 0 : (double) cpuNs / elapsedNs;
    }
}
