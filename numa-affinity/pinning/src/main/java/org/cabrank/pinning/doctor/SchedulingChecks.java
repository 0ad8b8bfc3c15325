package org.cabrank.pinning.doctor;

import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import org.cabrank.affinity.limits.ProcessLimits;

/** Checks of cgroup throttling and cpuset partitions. */
final class SchedulingChecks {
    private static final long US_PER_NS = 1_000;
    private static final double US_PER_S = 1_000_000;

    /** Share of throttled periods below which a finding is ok: fewer do not show in usual percentiles. */
    private static final double STOPPED_SHARE_MIN = 0.001;

    private SchedulingChecks() {}

    /** Numbers of periods and of throttled periods in cpu.stat. */
    private record Throttling(long periods, long stopped, long stoppedUs) {
        static Throttling of(String stat) {
            long us = number(stat, "throttled_usec").orElse(-1);
            return new Throttling(
                    number(stat, "nr_periods").orElse(0),
                    number(stat, "nr_throttled").orElse(0),
                    // Version 1 counts nanoseconds.
                    us >= 0 ? us : number(stat, "throttled_time").orElse(0) / US_PER_NS);
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
        String finding = String.format(
                Locale.ROOT,
                "a cgroup of this process was stopped in %,d of %,d periods, for %,.1f s in all",
                most.stopped(),
                most.periods(),
                most.stoppedUs() / US_PER_S);
        String effect = "every thread stands still until the next period: answers are late by up to a period"
                + " (mostly 100 ms)";
        String remedy = "fewer busy threads" + most(context.limits()) + ", a higher cpu.max, some"
                + " cpu.max.burst, or whole CPUs instead of a quota (cpuset.cpus, and cpu.max = max)";
        return most.stopped() < most.periods() * STOPPED_SHARE_MIN
                ? check.note(finding, effect, remedy)
                : check.warning(finding, effect, remedy);
    }

    /** Returns the remedy, which depends on the current quota: the quota may have been lifted since the throttling. */
    private static String most(ProcessLimits limits) {
        return limits.limitedByQuota() ? " (" + limits.quotaCpus() + " at most)" : "";
    }

    static Finding partition(Check check, CheckContext context) {
        List<String> partitions = context.cgroupFiles("cpuset.cpus.partition").stream()
                .filter(state -> !state.equals("member"))
                .toList();
        if (partitions.isEmpty()) {
            return check.ok("this process is in none");
        }
        // The innermost partition decides on the scheduling domain.
        String state = partitions.get(0);
        if (!state.contains("invalid")) {
            return check.ok(
                    state.equals("isolated")
                            ? "isolated: the scheduler moves no thread among CPU "
                                    + context.limits().usable()
                            : state);
        }
        return check.warning(
                state,
                "the kernel treats the group as any other: other processes run on its CPUs, and isolation is not in force",
                "give the CPUs to no other group (cpuset.cpus.exclusive of this group and of those above it), then write"
                        + " the partition again: echo " + state.split(" ")[0] + " > cpuset.cpus.partition");
    }
}
