package org.cabrank.pinning.doctor;

import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import org.cabrank.affinity.files.FileTree;
import org.cabrank.affinity.limits.ProcessLimits;
import org.cabrank.affinity.placement.PlacementPlan;

/** Checks of resource limits: locked memory, descriptors and CPU quota. */
final class LimitChecks {
    private static final long MIB = 1L << 20;

    /** Sufficient locked memory: 64 KiB for each of a thousand concurrent zero-copy sends. */
    private static final long MEMLOCK_AMPLE = 64 * MIB;

    /** Sufficient number of descriptors for a service with many connections. */
    private static final long NOFILE_AMPLE = 65_536;

    private LimitChecks() {}

    static Finding memlock(Check check, CheckContext context) {
        Optional<Limit> limit = Limit.of(context.procfs(), "Max locked memory");
        if (limit.isEmpty()) {
            return check.note("its limit is not known", "", "look at 'ulimit -l'");
        }
        long soft = limit.get().soft();
        if (soft >= MEMLOCK_AMPLE) {
            return check.ok(soft == Long.MAX_VALUE ? "unlimited" : soft / MIB + " MiB may be locked");
        }
        return check.note(
                String.format(Locale.ROOT, "%,d KiB may be locked (RLIMIT_MEMLOCK)", soft / 1024),
                "registered buffers and zero-copy sends (--ring-zero-copy) are charged to it without CAP_IPC_LOCK, and"
                        + " fail or copy beyond it",
                "ulimit -l unlimited; LimitMEMLOCK=infinity in a systemd unit; --ulimit memlock=-1 for a container");
    }

    static Finding nofile(Check check, CheckContext context) {
        Optional<Limit> limit = Limit.of(context.procfs(), "Max open files");
        if (limit.isEmpty()) {
            return check.note("their limit is not known", "", "look at 'ulimit -Hn'");
        }
        // A JVM raises its soft limit to the hard one.
        long hard = limit.get().hard();
        String words = hard == Long.MAX_VALUE ? "unlimited" : String.format(Locale.ROOT, "%,d at most", hard);
        return hard >= NOFILE_AMPLE
                ? check.ok(words)
                : check.warning(
                        words + " (the hard RLIMIT_NOFILE)",
                        "each connection takes one: accepting pauses when they are used up",
                        "as root ulimit -n 1048576; LimitNOFILE=1048576 in a systemd unit; --ulimit nofile=1048576 for a"
                                + " container");
    }

    static Finding quota(Check check, CheckContext context) {
        ProcessLimits limits = context.limits();
        if (!limits.limitedByQuota() && !limits.quotaKnown()) {
            return check.unknown(
                    "the cgroup of this process cannot be read, so whether it has a quota is unknown",
                    "mount the cgroup hierarchy (a container: /sys/fs/cgroup)");
        }
        if (!limits.limitedByQuota()) {
            return check.ok("none: the process may use all the time of CPU " + limits.usable());
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

    /** Returns server options with no more busy threads than the quota allows. */
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

    /** Reads a line of proc_pid_limits(5); {@link Long#MAX_VALUE} means unlimited. */
    private record Limit(long soft, long hard) {
        static Optional<Limit> of(FileTree procfs, String name) {
            return procfs.text("self/limits")
                    .flatMap(text -> text.lines()
                            .filter(line -> line.startsWith(name + " "))
                            .findFirst()
                            .flatMap(line ->
                                    parsed(line.substring(name.length()).strip().split(" +"))));
        }

        private static Optional<Limit> parsed(String... columns) {
            if (columns.length < 2) {
                return Optional.empty();
            }
            OptionalLong soft = number(columns[0]);
            OptionalLong hard = number(columns[1]);
            return soft.isPresent() && hard.isPresent()
                    ? Optional.of(new Limit(soft.getAsLong(), hard.getAsLong()))
                    : Optional.empty();
        }

        private static OptionalLong number(String word) {
            if (word.equals("unlimited")) {
                return OptionalLong.of(Long.MAX_VALUE);
            }
            return word.matches("\\d{1,18}") ? OptionalLong.of(Long.parseLong(word)) : OptionalLong.empty();
        }
    }
}
