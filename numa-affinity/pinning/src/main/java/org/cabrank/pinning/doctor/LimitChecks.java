package org.cabrank.pinning.doctor;

import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.cabrank.affinity.limits.ProcessLimits;
import org.cabrank.affinity.placement.PlacementPlan;

final class LimitChecks {
    private static final long MIB = 1L << 20;

    private static final long MEMLOCK_AMPLE = 64 * MIB;

    private static final long NOFILE_AMPLE = 65_536;

    private static final int SOFT = 1;
    private static final int HARD = 2;

    private static final long US_PER_NS = 1_000;
    private static final double US_PER_S = 1_000_000;

    /** If less than this share of the periods was throttled, the finding is only a note, because common percentiles do not show it. */
    private static final double STOPPED_SHARE_MIN = 0.001;

    private LimitChecks() {}

    static Finding memlock(Check check, CheckContext context) {
        OptionalLong limit = limit(context, "Max locked memory", SOFT);
        if (limit.isEmpty()) {
            return check.note("its limit is not known", "", "look at 'ulimit -l'");
        }
        long bytes = limit.getAsLong();
        if (bytes >= MEMLOCK_AMPLE) {
            return check.ok(bytes == Long.MAX_VALUE ? "unlimited" : bytes / MIB + " MiB may be locked");
        }
        return check.note(
                String.format(Locale.ROOT, "%,d KiB may be locked (RLIMIT_MEMLOCK)", bytes / 1024),
                "some kernels charge rings and their receive buffers to it without CAP_IPC_LOCK, and refuse them beyond it",
                "ulimit -l unlimited; LimitMEMLOCK=infinity in a systemd unit; --ulimit memlock=-1 for a container");
    }

    static Finding nofile(Check check, CheckContext context) {
        // Only the hard limit counts, because a JVM raises its soft limit to the hard limit.
        OptionalLong limit = limit(context, "Max open files", HARD);
        if (limit.isEmpty()) {
            return check.note("their limit is not known", "", "look at 'ulimit -Hn'");
        }
        long most = limit.getAsLong();
        String words = most == Long.MAX_VALUE ? "unlimited" : String.format(Locale.ROOT, "%,d at most", most);
        return most >= NOFILE_AMPLE
                ? check.ok(words)
                : check.warning(
                        words + " (the hard RLIMIT_NOFILE)",
                        "each connection takes one: accepting pauses when they are used up",
                        "as root ulimit -n 1048576; LimitNOFILE=1048576 in a systemd unit; --ulimit nofile=1048576 for a"
                                + " container");
    }

    /** Reads a line of proc_pid_limits(5). Returns {@link Long#MAX_VALUE} for an unlimited value. */
    private static OptionalLong limit(CheckContext context, String name, int column) {
        Matcher line = Pattern.compile("(?m)^" + name + " +(\\d{1,18}|unlimited) +(\\d{1,18}|unlimited)\\b")
                .matcher(context.procfs().text("self/limits").orElse(""));
        if (!line.find()) {
            return OptionalLong.empty();
        }
        String limit = line.group(column);
        return OptionalLong.of(limit.equals("unlimited") ? Long.MAX_VALUE : Long.parseLong(limit));
    }

    static Finding quota(Check check, CheckContext context) {
        ProcessLimits limits = context.limits();
        if (!limits.limitedByQuota()) {
            return limits.quotaKnown()
                    ? check.ok("none: the process may use all the time of CPU " + limits.usable())
                    : check.unknown(
                            "the cgroup of this process cannot be read, so whether it has a quota is unknown",
                            "mount the cgroup hierarchy (a container: /sys/fs/cgroup)");
        }
        String has = String.format(Locale.ROOT, "the cgroup has the time of %.2f CPUs", limits.cpuQuota());
        int usable = limits.usable().size();
        return limits.cpuQuota() >= usable
                ? check.ok(has + ", as many as it may run on")
                : check.warning(
                        has + ", and may run on " + usable,
                        "when all have been used up together, the kernel stops every thread for the rest of the period"
                                + " (mostly 100 ms): the slowest answers take that long",
                        "no more than " + limits.quotaCpus() + " busy threads (" + withinQuota(context)
                                + "); or give the group whole CPUs instead of a quota (cpuset.cpus, and cpu.max = max)");
    }

    private static String withinQuota(CheckContext context) {
        int quota = context.limits().quotaCpus();
        PlacementPlan plan = context.plan();
        if (plan == null) {
            return "--shards times --threads-per-shard";
        }
        int threads = plan.threadsPerShard();
        // A shard's threads cannot keep more CPUs busy than the shard has.
        int cpus = plan.shards().get(0).cpus().size();
        int busy = cpus == 0 ? threads : Math.min(threads, cpus);
        return busy > quota
                ? "--shards 1 --threads-per-shard " + quota
                : "--shards " + quota / busy + " --threads-per-shard " + threads;
    }

    private record Throttling(long periods, long stopped, long stoppedUs) {
        static Throttling of(String stat) {
            // Version 1 counts nanoseconds.
            long ns = number(stat, "throttled_time").orElse(0);
            return new Throttling(
                    number(stat, "nr_periods").orElse(0),
                    number(stat, "nr_throttled").orElse(0),
                    number(stat, "throttled_usec").orElse(ns / US_PER_NS));
        }

        private static OptionalLong number(String stat, String name) {
            return stat.lines()
                    .filter(line -> line.matches(name + " \\d{1,18}"))
                    .mapToLong(line -> Long.parseLong(line.substring(name.length() + 1)))
                    .findFirst();
        }
    }

    static Finding throttling(Check check, CheckContext context) {
        List<String> stats = context.cgroupFiles("cpu.stat");
        Throttling most = stats.stream()
                .map(Throttling::of)
                .reduce(new Throttling(0, 0, 0), (one, other) -> other.stopped() > one.stopped() ? other : one);
        if (most.stopped() == 0) {
            return check.ok(stats.isEmpty() ? "no cgroup counts it" : "no cgroup of this process has been stopped");
        }
        // The quota may have been lifted since the throttling.
        ProcessLimits limits = context.limits();
        String atMost = limits.limitedByQuota() ? " (" + limits.quotaCpus() + " at most)" : "";
        return check.finding(
                most.stopped() < most.periods() * STOPPED_SHARE_MIN ? Severity.NOTE : Severity.WARNING,
                String.format(
                        Locale.ROOT,
                        "a cgroup of this process was stopped in %,d of %,d periods, for %,.1f s in all",
                        most.stopped(),
                        most.periods(),
                        most.stoppedUs() / US_PER_S),
                "every thread stands still until the next period: answers are late by up to a period (mostly 100 ms)",
                "fewer busy threads" + atMost
                        + ", a higher cpu.max, some cpu.max.burst, or whole CPUs instead of a quota"
                        + " (cpuset.cpus, and cpu.max = max)");
    }

    static Finding partition(Check check, CheckContext context) {
        // The innermost partition decides on the scheduling domain.
        String state = context.cgroupFiles("cpuset.cpus.partition").stream()
                .filter(text -> !text.equals("member"))
                .findFirst()
                .orElse("");
        if (state.contains("invalid")) {
            return check.warning(
                    state,
                    "the kernel treats the group as any other: other processes run on its CPUs, and isolation is not in force",
                    "give the CPUs to no other group (cpuset.cpus.exclusive of this group and of those above it), then write"
                            + " the partition again: echo " + state.split(" ")[0] + " > cpuset.cpus.partition");
        }
        return check.ok(
                switch (state) {
                    case "" -> "this process is in none";
                    case "isolated" ->
                        "isolated: the scheduler moves no thread among CPU "
                                + context.limits().usable();
                    default -> state;
                });
    }
}
