package org.cabrank.affinity.limits;

import java.util.Locale;
import java.util.Optional;
import org.cabrank.affinity.CpuList;
import org.cabrank.affinity.files.Notes;
import org.cabrank.affinity.topology.Topology;

/** Writes notes that explain the limits of a process: their origin, and differences from the JVM's count of processors. */
final class LimitsExplained {
    private static final double US_PER_MS = 1_000;

    private LimitsExplained() {}

    static void explain(ProcessLimits limits, Topology topology, Optional<QuotaLimit> quota, Notes notes) {
        explainCpus(limits, topology, notes);
        if (!limits.isolated().isEmpty()) {
            notes.add("CPU " + limits.isolated()
                    + " is an isolated partition of cgroups: the scheduler moves no thread there,"
                    + " so each stays where it started unless it is pinned");
        }
        quota.ifPresent(limit -> notes.add(explained(limit, limits)));
        int jvm = limits.jvmProcessors();
        if (jvm > 0 && jvm != limits.busyThreads()) {
            notes.add(
                    "the JVM counts " + count(jvm, "processor") + " where " + count(limits.busyThreads(), "thread")
                            + " may be busy all the time: it rounds a quota up, and -XX:ActiveProcessorCount sets what it counts");
        }
    }

    private static void explainCpus(ProcessLimits limits, Topology topology, Notes notes) {
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

    private static String explained(QuotaLimit limit, ProcessLimits limits) {
        String quota = String.format(
                Locale.ROOT,
                "%s grants the time of %.2f CPUs: %.1f ms in each %.1f ms",
                limit.file(),
                limit.cpus(),
                limit.quotaUs() / US_PER_MS,
                limit.periodUs() / US_PER_MS);
        if (limit.cpus() >= limits.usable().size()) {
            return quota + ", which is all that the process's CPUs have";
        }
        String threads = count(limits.quotaCpus(), "busy thread");
        if (limits.quotaCpus() <= limit.cpus()) {
            return quota + "; with more than " + threads + " all would be stopped for the rest of them";
        }
        double stoppedUs = limit.periodUs() - (double) limit.quotaUs() / limits.quotaCpus();
        return String.format(
                Locale.ROOT,
                "%s; %s would use that up and be stopped for %.1f ms of them",
                quota,
                threads,
                stoppedUs / US_PER_MS);
    }

    private static String count(int count, String what) {
        return count + " " + what + (count == 1 ? "" : "s");
    }
}
