package org.cabrank.affinity.limits;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** A quota of CPU time of one cgroup, read from {@code file}. */
record QuotaLimit(long quotaUs, long periodUs, String file) {
    private static final String UNLIMITED = "max";

    double cpus() {
        return (double) quotaUs / periodUs;
    }

    /** Returns the smallest quota of the groups and their ancestors, because the process must obey all of them. */
    static Optional<QuotaLimit> tightest(List<Cgroup> groups) {
        return groups.stream()
                .flatMap(group -> group.directories().stream()
                        .map(directory ->
                                group.version() == 2 ? ofVersion2(group, directory) : ofVersion1(group, directory)))
                .flatMap(Optional::stream)
                .min(Comparator.comparingDouble(QuotaLimit::cpus));
    }

    private static Optional<QuotaLimit> ofVersion1(Cgroup group, String directory) {
        String file = directory + "cpu.cfs_quota_us";
        OptionalLong quota = group.tree().number(file);
        OptionalLong period = group.tree().number(directory + "cpu.cfs_period_us");
        // -1: no quota.
        if (quota.orElse(-1) <= 0 || period.orElse(0) <= 0) {
            return Optional.empty();
        }
        return Optional.of(new QuotaLimit(
                quota.getAsLong(), period.getAsLong(), group.tree().path(file).toString()));
    }

    private static Optional<QuotaLimit> ofVersion2(Cgroup group, String directory) {
        String file = directory + "cpu.max";
        return group.tree()
                .parsed(
                        file,
                        "no quota",
                        text -> parse(text, group.tree().path(file).toString()))
                .flatMap(limit -> limit);
    }

    /** Parses {@code 150000 100000}, the format of "cpu.max". Returns an empty result for {@code max 100000}. */
    private static Optional<QuotaLimit> parse(String text, String file) {
        String[] numbers = text.split(" +");
        if (numbers.length != 2) {
            throw new IllegalArgumentException("a quota is two numbers");
        }
        long period = Long.parseLong(numbers[1]);
        long quota = numbers[0].equals(UNLIMITED) ? Long.MAX_VALUE : Long.parseLong(numbers[0]);
        if (quota <= 0 || period <= 0) {
            throw new IllegalArgumentException("both are above 0");
        }
        return numbers[0].equals(UNLIMITED) ? Optional.empty() : Optional.of(new QuotaLimit(quota, period, file));
    }
}
