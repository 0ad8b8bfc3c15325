package org.cabrank.affinity.limits;

import java.util.List;
import java.util.Objects;
import org.cabrank.affinity.CpuList;

/**
 * CPUs, CPU time and memory nodes available to a process, at the time of reading. Immutable.
 *
 * <p>An affinity mask restricts the CPUs that threads may run on. A quota restricts the CPU time that all threads together may use. With a
 * quota of 2, the kernel stops all threads when they have used the time of 2 CPUs, until the next period (usually 100 ms) begins.
 *
 * @param affinityMask CPUs that the kernel lets the process run on. Isolated CPUs are in the mask only if the process asked for them
 * @param cpusetCpus CPUs of the process's cpuset cgroups. Empty if unknown, which is no restriction
 * @param cpusetMems memory nodes that the process may use. Empty if unknown, which is no restriction
 * @param cpuQuota tightest quota of the process's cgroups, in CPUs. {@link #NO_QUOTA} if there is none
 * @param jvmProcessors {@link Runtime#availableProcessors}. 0 if the limits are those of another process
 * @param usable online CPUs that are in the mask and in the cpuset, without the reserved CPUs
 * @param isolated CPUs of {@code usable} in an isolated partition of cgroups (version 2). An unpinned thread stays on its first CPU there
 * @param reserved CPUs that other services have reserved. No thread may use them. Empty if there are none or they are unknown
 * @param notes the limits and their origin, missing or malformed files, and differences from the JVM's count of processors
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

    /** A quota at most this much below a whole number is rounded up. The kernel then stops the process for at most 5 of 100 ms. */
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
     * Number of threads that may always be busy under the quota. Rounded down, at least 1. Without a quota, {@link Integer#MAX_VALUE}.
     *
     * <p>With one more thread, the kernel would stop all threads for a part of each period. Example: 2 threads with a quota of 1.5 stop for
     * 25 of 100 ms. The JVM's own threads use the remainder. The JVM rounds its own count up, because most of its threads are idle.
     */
    public int quotaCpus() {
        return (int) Math.max(1, Math.floor(cpuQuota + QUOTA_SHORT_MAX));
    }

    /** Returns false if a cgroup of the process could not be read. The process may then have a quota. */
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
