package org.cabrank.affinity.limits;

/** What a quota of CPU time is worth in CPUs. */
public final class CpuQuota {
    /** No quota. */
    public static final double NONE = Double.POSITIVE_INFINITY;

    /**
     * A quota that is this much short of a whole number of CPUs counts as that: somebody's rounding, and the process is
     * stopped for 5 ms of 100 ms at most.
     */
    private static final double SHORT_MAX = 0.05;

    private CpuQuota() {}

    /**
     * How many threads may be busy all the time under a quota: it is rounded down. With one more the quota would be used up
     * before each period ends, and the kernel would stop all of the process's threads for the rest of it: some 25 ms of each
     * 100 ms with 2 threads and a quota of 1.5. What is left over is for the JVM's own threads, the compiler's and the
     * collector's. (The JVM rounds up: it counts threads which are mostly idle.)
     *
     * @param quota in CPUs, above 0
     * @return at least 1, though a thread alone is more than a quota below 1 is good for; {@link Integer#MAX_VALUE} for
     *     {@link #NONE}
     */
    public static int cpus(double quota) {
        return (int) Math.max(1, Math.floor(quota + SHORT_MAX));
    }
}
