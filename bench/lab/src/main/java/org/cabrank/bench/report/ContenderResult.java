package org.cabrank.bench.report;

import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * Result of one contender in one cell.
 *
 * @param runs number of successful runs
 * @param ratios ratios to the baseline in the same round and slice, for every metric; empty for the baseline itself
 * @param latency latency of all runs together; null if no histogram was kept
 * @param fastLatency latency of the requests whose handlers did not block; null if answers do not show which requests
 * @param idleBytesPerConnection median of the user-space memory for each idle connection; null if not measured
 * @param startMs median of the time in ms from spawning the process to the first answer; NaN if no run succeeded
 * @param compilerShare median share of the server's CPU time used by its JIT compiler, 0 to 1
 * @param generatorLimited the load generator's reason to consider itself the bottleneck; null if it never did
 * @param datagrams datagrams of all runs together; null for another load
 * @param losslessPercent share of the runs without any lost datagram; null for another load
 */
public record ContenderResult(
        String contender,
        int runs,
        int failures,
        Map<Metric, Spread> values,
        Map<Metric, Ratio> ratios,
        Percentiles latency,
        Percentiles fastLatency,
        PerRequest perRequest,
        Double idleBytesPerConnection,
        double startMs,
        double compilerShare,
        String generatorLimited,
        DatagramCounts datagrams,
        Double losslessPercent) {

    /** Share of compiler time above which the code was still becoming faster. */
    private static final double COMPILING = 0.05;

    /** True if the JIT compiler was so active that the results differ from those of a server that has run for long. */
    public boolean compiling() {
        return compilerShare > COMPILING;
    }

    /** Returns null for another load than datagrams. */
    public Double lostPercent() {
        return datagrams == null ? null : (Double) datagrams.lostPercent();
    }

    /** Returns NaN if it was not measured. */
    public double median(Metric metric) {
        Spread spread = values.get(metric);
        return spread == null ? Double.NaN : spread.median();
    }

    /**
     * Returns a latency over all slices together, or the median of another metric. A short slice has few requests: the p99.9 of 500
     * requests is their maximum, and the median of such maxima is no p99.9. Without a histogram, returns the median. NaN if not measured.
     */
    public double pooled(Metric metric) {
        return switch (metric) {
            case P50_US -> pooled(latency, Percentiles::p50Us, metric);
            case P99_US -> pooled(latency, Percentiles::p99Us, metric);
            case P999_US -> pooled(latency, Percentiles::p999Us, metric);
            case FAST_P50_US -> pooled(fastLatency, Percentiles::p50Us, metric);
            case FAST_P99_US -> pooled(fastLatency, Percentiles::p99Us, metric);
            case FAST_P999_US -> pooled(fastLatency, Percentiles::p999Us, metric);
            case REQUESTS_PER_SECOND, REQUESTS_PER_CPU_SECOND -> median(metric);
        };
    }

    /** Returns {@link #pooled} for p99.9, else the median of the slices: one pause of 10 ms determines the p99 of a slice of 1 s. */
    public double typical(Metric metric) {
        return metric == Metric.P999_US || metric == Metric.FAST_P999_US ? pooled(metric) : median(metric);
    }

    private double pooled(Percentiles all, ToDoubleFunction<Percentiles> percentile, Metric metric) {
        return all == null ? median(metric) : percentile.applyAsDouble(all);
    }
}
