package org.cabrank.bench.measure;

/**
 * Resources that a process used between two samples.
 *
 * @param cpuNs exact CPU time of all threads. If threads have ended, the error is about one tick.
 * @param ringThreadsNs part of {@code cpuNs} used by the kernel's threads for io_uring rings
 * @param migrations moves of threads between CPUs. {@link #UNKNOWN} if the kernel does not report them.
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
