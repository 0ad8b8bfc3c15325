package org.cabrank.bench.measure;

/**
 * What a process used between two samples.
 *
 * @param elapsedNs wall-clock time between them
 * @param cpuNs time on CPUs of all its threads, exact; to about a tick where threads have ended in between
 * @param busiestThreadNs the part of it that the one thread took which took most
 * @param ringThreadsNs the part of it that the kernel's threads for its io_uring rings took: system time
 * @param compilerNs the part of it that the threads took with which a JVM compiles; 0 without one
 * @param userTicks ticks that met it in user mode: a sample of how {@code cpuNs} divides
 * @param systemTicks ticks that met it in kernel mode
 * @param switches context switches of all its threads
 * @param migrations of all its threads from one CPU to another; {@link #UNKNOWN} where the kernel does not tell
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

    /** Of a count that the kernel does not tell. */
    public static final long UNKNOWN = -1;

    /** The part of {@code cpuNs} spent in user mode, as the ticks divide it. */
    public double userNs() {
        long ticks = userTicks + systemTicks;
        return ticks == 0 ? 0 : (double) cpuNs * userTicks / ticks;
    }

    /** The rest of {@code cpuNs}. */
    public double systemNs() {
        return cpuNs - userNs();
    }

    /** The part of the time for which the busiest thread was on a CPU. */
    public double busiestThread() {
        return elapsedNs == 0 ? 0 : (double) busiestThreadNs / elapsedNs;
    }

    /** CPUs kept busy on average: 1.0 is one CPU without a pause. */
    public double cpusBusy() {
        return elapsedNs == 0 ? 0 : (double) cpuNs / elapsedNs;
    }
}
