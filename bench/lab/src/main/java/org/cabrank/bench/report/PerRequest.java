package org.cabrank.bench.report;

import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.cabrank.bench.report.RunRecord.Counts;
import org.cabrank.bench.report.RunRecord.Measured;
import org.cabrank.bench.report.statistics.Medians;

/**
 * Resources that the server uses for one request. Each figure is the median of the runs, or null if it is unknown.
 *
 * @param userUs CPU time in user mode. It is the total CPU time multiplied by the user mode's share of all ticks.
 * @param systemUs CPU time in the kernel, without {@code kernelThreadsUs}
 * @param kernelThreadsUs CPU time of the kernel's threads for io_uring rings
 * @param userTicks timer ticks in user mode in all runs together. If the number is small, {@code userUs} is inexact.
 * @param collections number of garbage collections per 1,000,000 requests
 */
public record PerRequest(
        Double userUs,
        Double systemUs,
        Double kernelThreadsUs,
        long userTicks,
        Double switches,
        Double migrations,
        Double allocatedBytes,
        Double collections,
        Double pauseNs) {

    private static final double MILLION = 1e6;

    static PerRequest of(List<Measured> runs) {
        Double cpuUs = median(runs, run -> run.server().cpuNs() / 1e3);
        Double ringUs = median(runs, run -> run.server().ringThreadsNs() / 1e3);
        double share = userShare(runs);
        boolean told = cpuUs != null && !Double.isNaN(share);
        return new PerRequest(
                told ? cpuUs * share : null,
                told ? Math.max(0, cpuUs * (1 - share) - ringUs) : null,
                told ? ringUs : null,
                userTicks(runs),
                median(runs, run -> run.server().switches()),
                median(
                        runs,
                        run -> run.server().migrations() < 0
                                ? Double.NaN
                                : run.server().migrations()),
                median(runs, run -> run.serverAllocatedBytes() < 0 ? Double.NaN : run.serverAllocatedBytes()),
                count(runs, Counts::collections, MILLION),
                count(runs, Counts::pauseNs, 1));
    }

    /** Returns the share of user mode in the ticks of all runs together, because one run has few ticks. */
    private static double userShare(List<Measured> runs) {
        long user = userTicks(runs);
        long system = runs.stream().mapToLong(run -> run.server().systemTicks()).sum();
        return user + system == 0 ? Double.NaN : (double) user / (user + system);
    }

    private static long userTicks(List<Measured> runs) {
        return runs.stream().mapToLong(run -> run.server().userTicks()).sum();
    }

    private static Double median(List<Measured> runs, ToDoubleFunction<Measured> total) {
        return orNull(runs.stream()
                .map(run -> total.applyAsDouble(run) / run.answers())
                .filter(value -> !value.isNaN())
                .toList());
    }

    private static Double count(List<Measured> runs, Function<Counts, Long> count, double scale) {
        return orNull(runs.stream()
                .filter(run -> run.counts() != null)
                .map(run -> {
                    Long total = count.apply(run.counts());
                    return total == null ? null : total * scale / run.answers();
                })
                .filter(Objects::nonNull)
                .toList());
    }

    private static Double orNull(List<Double> values) {
        return values.isEmpty() ? null : (Double) Medians.of(values);
    }
}
