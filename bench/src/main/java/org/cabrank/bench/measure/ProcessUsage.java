package org.cabrank.bench.measure;

/**
 * What a process used between two samples.
 *
 * @param elapsedNs wall-clock time between them
 * @param cpuNs time on CPUs of all its threads, exact; to about a tick where threads have ended in between
 * @param ringThreadsNs the part of it that the kernel's threads for its io_uring rings took: system time
 * @param userTicks ticks that met it in user mode: a sample of how {@code cpuNs} divides
 * @param systemTicks ticks that met it in kernel mode
 * @param switches context switches of all its threads
 */
public record ProcessUsage(
        long elapsedNs, long cpuNs, long ringThreadsNs, long userTicks, long systemTicks, long switches) {

    /** The part of {@code cpuNs} spent in user mode, as the ticks divide it. */
    public double userNs() {
        long ticks = userTicks + systemTicks;
        return ticks == 0 ? 0 : (double) cpuNs * userTicks / ticks;
    }

    /** The rest of {@code cpuNs}. */
    public double systemNs() {
        return cpuNs - userNs();
    }

    /** CPUs kept busy on average: 1.0 is one CPU without a pause. */
    public double cpusBusy() {
        return elapsedNs == 0 ? 0 : (double) cpuNs / elapsedNs;
    }
}
