package org.cabrank.affinity.limits;

/** Conversion of a quota of CPU time to a number of CPUs. */
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
     * Number of threads that may be busy all the time under a quota, rounded down. One more thread would use up the quota
     * before each period ends, and the kernel would stop all threads of the process for the rest of the period: some 25 ms
     * of each 100 ms with 2 threads and a quota of 1.5. The remainder is left to the JVM's own threads (compiler,
     * collector). The JVM itself rounds up, because it counts threads that are mostly idle.
     *
     * @param quota in CPUs, above 0
     * @return at least 1, although one busy thread exceeds a quota below 1; {@link Integer#MAX_VALUE} for {@link #NONE}
     */
    public static int cpus(double quota) {
        return (int) Math.max(1, Math.floor(quota + SHORT_MAX));
    }
}
