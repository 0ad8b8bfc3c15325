package org.cabrank.affinity.limits;

import java.util.List;
import java.util.Objects;
import org.cabrank.affinity.CpuList;

/**
 * CPUs, CPU time and memory nodes available to a process, at the time of reading. An affinity mask restricts the CPUs that threads may run
 * on; a quota restricts the CPU time that they may use together. A process on 64 CPUs with a quota of 2 may run on any of the 64, and when
 * it has used up the time of 2 CPUs, the kernel stops it until the next period (usually 100 ms). Immutable.
 *
 * @param affinityMask the CPUs that the kernel lets the process run on; isolated CPUs only if the process asked for them
 * @param cpusetCpus the CPUs of the process's cpuset cgroups; empty: unknown, no restriction
 * @param cpusetMems the memory nodes of its cpuset cgroups; empty: unknown, no restriction
 * @param cpuQuota the tightest quota of its cgroups, in CPUs; {@link #NO_QUOTA}: none
 * @param jvmProcessors {@link Runtime#availableProcessors}; 0: unknown, because the limits are those of another process
 * @param usable the online CPUs that are in both the mask and the cpuset
 * @param isolated the CPUs of {@code usable} in an isolated partition of cgroups (version 2), where an unpinned thread stays on its first
 *     CPU
 * @param reserved CPUs that other services have reserved, which no thread may use, even if isolated; never in {@code usable}; empty: none,
 *     or unknown
 * @param notes the limits and their origin, missing or malformed files, and differences from the JVM's own count
 */
public record ProcessLimits(
        CpuList affinityMask,
        CpuList cpusetCpus,
        CpuList cpusetMems,
        double cpuQuota,
        int jvmProcessors,
        CpuList usable,
        CpuList isolated,
        CpuList reserved,
        List<String> notes) {
    public static final double NO_QUOTA = Double.POSITIVE_INFINITY;

    /** Shortfall from a whole number of CPUs that counts as rounding: the quota stops the process for at most 5 of 100 ms. */
    private static final double QUOTA_SHORT_MAX = 0.05;

    static final String CGROUPS_UNKNOWN = "whether cgroups limit the process is unknown";

    public ProcessLimits {
        Objects.requireNonNull(affinityMask);
        Objects.requireNonNull(cpusetCpus);
        Objects.requireNonNull(cpusetMems);
        Objects.requireNonNull(usable);
        Objects.requireNonNull(isolated);
        Objects.requireNonNull(reserved);
        notes = List.copyOf(notes);
    }

    ProcessLimits with(List<String> otherNotes) {
        return copy(usable, reserved, otherNotes);
    }

    public ProcessLimits withUsable(CpuList fewer) {
        return copy(fewer, reserved, notes);
    }

    public ProcessLimits withReserved(CpuList others) {
        return copy(usable.without(others), reserved.union(others), notes);
    }

    private ProcessLimits copy(CpuList left, CpuList taken, List<String> otherNotes) {
        return new ProcessLimits(
                affinityMask,
                cpusetCpus,
                cpusetMems,
                cpuQuota,
                jvmProcessors,
                left,
                isolated.intersection(left),
                taken,
                otherNotes);
    }

    /**
     * Number of threads that may be busy all the time under the quota, rounded down and at least 1; {@link Integer#MAX_VALUE} without a
     * quota. One more thread would use up the quota early, and the kernel would stop all threads for the rest of the period: some 25 ms of
     * each 100 ms with 2 threads and a quota of 1.5. The JVM's own threads (compiler, collector) have the remainder. The JVM rounds up,
     * because it counts threads that are mostly idle.
     */
    public int quotaCpus() {
        return (int) Math.max(1, Math.floor(cpuQuota + QUOTA_SHORT_MAX));
    }

    /** Returns false if a cgroup of the process could not be read: it may have a quota. */
    public boolean quotaKnown() {
        return notes.stream().noneMatch(note -> note.endsWith(CGROUPS_UNKNOWN));
    }

    public boolean limitedByQuota() {
        return cpuQuota < NO_QUOTA;
    }

    /** Number of threads that may be busy all the time: at most one for each usable CPU, and at most {@link #quotaCpus}. */
    public int busyThreads() {
        return Math.min(usable.size(), quotaCpus());
    }
}
