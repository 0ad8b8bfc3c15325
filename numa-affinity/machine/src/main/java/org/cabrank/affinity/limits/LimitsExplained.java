package org.cabrank.affinity.limits;

import java.util.Locale;
import java.util.Optional;
import org.cabrank.affinity.CpuList;
import org.cabrank.affinity.files.Notes;
import org.cabrank.affinity.topology.Topology;

/** Describes the limits of a process and their origin, and where the JVM's own count differs. */
final class LimitsExplained {
    private static final double US_PER_MS = 1_000;

    private final Topology topology;
    private final Notes notes;

    LimitsExplained(Topology topology, Notes notes) {
        this.topology = topology;
        this.notes = notes;
    }

    void explain(ProcessLimits limits, Optional<QuotaLimit> quota) {
        explainCpus(limits);
        explainPartition(limits);
        quota.ifPresent(limit -> explainQuota(limit, limits));
        int jvm = limits.jvmProcessors();
        if (jvm > 0 && jvm != limits.busyThreads()) {
            notes.add(
                    "the JVM counts " + count(jvm, "processor") + " where " + count(limits.busyThreads(), "thread")
                            + " may be busy all the time: it rounds a quota up, and -XX:ActiveProcessorCount sets what it counts");
        }
    }

    private void explainCpus(ProcessLimits limits) {
        CpuList online = topology.online();
        CpuList cpuset = limits.cpusetCpus().isEmpty() ? online : limits.cpusetCpus();
        CpuList outside = online.without(cpuset);
        if (!outside.isEmpty()) {
            notes.add("the cpuset cgroup leaves CPU " + outside + " out");
        }
        CpuList masked = online.intersection(cpuset).without(limits.affinityMask());
        CpuList isolated = masked.intersection(topology.isolated());
        if (!isolated.isEmpty()) {
            notes.add("CPU " + isolated
                    + " is isolated: it is not in the affinity mask, but a thread may be pinned to it");
        }
        if (!masked.without(isolated).isEmpty()) {
            notes.add("the affinity mask leaves CPU " + masked.without(isolated) + " out");
        }
    }

    private void explainPartition(ProcessLimits limits) {
        if (!limits.isolated().isEmpty()) {
            notes.add("CPU " + limits.isolated()
                    + " is an isolated partition of cgroups: the scheduler moves no thread there,"
                    + " so each stays where it started unless it is pinned");
        }
    }

    private void explainQuota(QuotaLimit limit, ProcessLimits limits) {
        String quota = String.format(
                Locale.ROOT,
                "%s grants the time of %.2f CPUs: %.1f ms in each %.1f ms",
                limit.file(),
                limit.cpus(),
                limit.quotaUs() / US_PER_MS,
                limit.periodUs() / US_PER_MS);
        if (limit.cpus() >= limits.usable().size()) {
            notes.add(quota + ", which is all that the process's CPUs have");
        } else if (limits.quotaCpus() > limit.cpus()) {
            notes.add(quota + "; " + count(limits.quotaCpus(), "busy thread") + " would use that up and be stopped for "
                    + stopped(limit, limits.quotaCpus()) + " ms of them");
        } else {
            notes.add(quota + "; with more than " + count(limits.quotaCpus(), "busy thread")
                    + " all would be stopped for the rest of them");
        }
    }

    private static String stopped(QuotaLimit limit, int threads) {
        return String.format(Locale.ROOT, "%.1f", (limit.periodUs() - (double) limit.quotaUs() / threads) / US_PER_MS);
    }

    private static String count(int count, String what) {
        return count + " " + what + (count == 1 ? "" : "s");
    }
}
