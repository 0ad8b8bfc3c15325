package org.cabrank.affinity.limits;

import java.util.List;
import java.util.Objects;
import org.cabrank.affinity.CpuList;

/**
 * CPUs, CPU time and memory nodes available to a process, at the time of reading. An affinity mask restricts the CPUs that
 * threads may run on; a quota restricts the CPU time that they may use together. A process on 64 CPUs with a quota of 2 may
 * run on any of the 64, and the kernel stops it until the next period (usually 100 ms) when it has used up the time of 2.
 * Immutable.
 *
 * @param affinityMask the CPUs that the kernel lets the process run on; isolated CPUs only if the process asked for them
 * @param cpusetCpus the CPUs of the process's cpuset cgroups; empty: unknown, no restriction
 * @param cpusetMems the memory nodes of its cpuset cgroups; empty: unknown, no restriction
 * @param cpuQuota the tightest quota of its cgroups, in CPUs; infinite: no quota
 * @param quotaCpus number of threads that may be busy all the time under the quota, at least 1: see {@link CpuQuota#cpus};
 *     {@link Integer#MAX_VALUE} without a quota
 * @param jvmProcessors {@link Runtime#availableProcessors}; 0: unknown, because the limits are those of another process
 * @param usable the online CPUs that are in both the mask and the cpuset
 * @param isolated the CPUs of {@code usable} that are in an isolated partition of cgroups (version 2), between which the
 *     scheduler does not move threads: an unpinned thread stays where it started; may be empty
 * @param reserved CPUs that other services have reserved, none of which is in {@code usable}: no thread may be placed
 *     there, not even on an isolated CPU outside the mask; empty: none reserved, or unknown
 * @param notes the limits and their origin, missing or malformed files, and differences from the JVM's own count
 */
public record ProcessLimits(
        CpuList affinityMask,
        CpuList cpusetCpus,
        CpuList cpusetMems,
        double cpuQuota,
        int quotaCpus,
        int jvmProcessors,
        CpuList usable,
        CpuList isolated,
        CpuList reserved,
        List<String> notes) {
    /** End of the notes on cgroups that could not be read. */
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

    /** Limits of a process that is in no isolated partition, on a machine without reservations. */
    public ProcessLimits(
            CpuList affinityMask,
            CpuList cpusetCpus,
            CpuList cpusetMems,
            double cpuQuota,
            int quotaCpus,
            int jvmProcessors,
            CpuList usable,
            List<String> notes) {
        this(
                affinityMask,
                cpusetCpus,
                cpusetMems,
                cpuQuota,
                quotaCpus,
                jvmProcessors,
                usable,
                CpuList.of(),
                CpuList.of(),
                notes);
    }

    ProcessLimits with(List<String> otherNotes) {
        return new ProcessLimits(
                affinityMask,
                cpusetCpus,
                cpusetMems,
                cpuQuota,
                quotaCpus,
                jvmProcessors,
                usable,
                isolated,
                reserved,
                otherNotes);
    }

    /** Returns a copy with {@code fewer} as the usable CPUs. */
    public ProcessLimits withUsable(CpuList fewer) {
        return new ProcessLimits(
                affinityMask,
                cpusetCpus,
                cpusetMems,
                cpuQuota,
                quotaCpus,
                jvmProcessors,
                fewer,
                isolated.intersection(fewer),
                reserved,
                notes);
    }

    /** Returns a copy without the CPUs that other services have reserved. */
    public ProcessLimits withReserved(CpuList others) {
        CpuList left = usable.without(others);
        return new ProcessLimits(
                affinityMask,
                cpusetCpus,
                cpusetMems,
                cpuQuota,
                quotaCpus,
                jvmProcessors,
                left,
                isolated.intersection(left),
                reserved.union(others),
                notes);
    }

    /** Returns false if a cgroup of the process could not be read, which may have a quota. */
    public boolean quotaKnown() {
        return notes.stream().noneMatch(note -> note.endsWith(CGROUPS_UNKNOWN));
    }

    /** Returns true if the process has a CPU quota. */
    public boolean limitedByQuota() {
        return cpuQuota < Double.POSITIVE_INFINITY;
    }

    /** Number of threads that may be busy all the time: at most one for each usable CPU, and at most {@link #quotaCpus}. */
    public int busyThreads() {
        return Math.min(usable.size(), quotaCpus);
    }
}
