package org.cabrank.affinity.limits;

import java.util.List;
import java.util.Objects;
import org.cabrank.affinity.CpuList;

/**
 * What a process may use, when it was read. A mask says where threads may run, a quota how much of all CPUs' time they may
 * use together: a process on 64 CPUs with a quota of 2 may run on any of the 64, and is stopped until the next period (of
 * mostly 100 ms) when it has used up the time of 2. Immutable.
 *
 * @param affinityMask where the kernel lets the process run; isolated CPUs are not in it unless they were asked for
 * @param cpusetCpus those of the process's cpuset cgroups; empty: none is known, so none limits
 * @param cpusetMems the memory nodes of its cpuset cgroups; empty: none is known, so none limits
 * @param cpuQuota how many CPUs' time it may use: the tightest of its cgroups' quotas; infinite: no quota
 * @param quotaCpus how many threads may be busy all the time, at least 1: see {@link CpuQuota#cpus}; {@link
 *     Integer#MAX_VALUE} without a quota
 * @param jvmProcessors what the JVM counts, {@link Runtime#availableProcessors}; 0: unknown, as the process is not this one
 * @param usable of the CPUs that are online those in the mask and the cpuset
 * @param isolated of {@code usable} those in an isolated partition of cgroups (version 2), over which the scheduler does not
 *     move threads: each stays where it started unless it is pinned; empty: there is none
 * @param reserved CPUs that other services have reserved, of which none is in {@code usable}: no thread may be placed there,
 *     not even on an isolated CPU outside the mask; empty: there is none, or none is known
 * @param notes what limits the process and who set it, what was missing or malformed, where the JVM thinks otherwise
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

    /** These limits, with {@code fewer} CPUs as the usable ones. */
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

    /** These limits, without the CPUs that other services have reserved. */
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

    /** Whether there is a quota at all. */
    public boolean limitedByQuota() {
        return cpuQuota < Double.POSITIVE_INFINITY;
    }

    /** How many threads may be busy all the time: no more than there are CPUs for, and no more than the quota is good for. */
    public int busyThreads() {
        return Math.min(usable.size(), quotaCpus);
    }
}
