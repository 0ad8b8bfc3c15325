package org.cabrank.bench.report;

import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * Result of one contender in one cell. A figure is null if it was not measured.
 *
 * @param runs number of successful runs
 * @param ratios ratios to the baseline, from runs of the same round and slice. Empty for the baseline itself.
 * @param fastLatency latency of the requests whose handlers did not block
 * @param startMs median of the times from spawning the process to the first answer. NaN if no run succeeded.
 * @param compilerShare median of the JIT compiler's shares of the server's CPU time. From 0 to 1.
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

    private static final double COMPILING = 0.05;

    /** Returns true if the server was still warming up. */
    public boolean compiling() {
        return compilerShare > COMPILING;
    }

    public Double lostPercent() {
        return datagrams == null ? null : (Double) datagrams.lostPercent();
    }

    /** Returns NaN if {@code metric} was not measured. */
    public double median(Metric metric) {
        Spread spread = values.get(metric);
        return spread == null ? Double.NaN : spread.median();
    }

    /** Returns the latency over all slices together. Returns {@link #median} if {@code metric} is no latency or there is no histogram. */
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

    /** Returns {@link #pooled} for p99.9, because one slice may have too few requests. Returns {@link #median} for other metrics. */
    public double typical(Metric metric) {
        return metric == Metric.P999_US || metric == Metric.FAST_P999_US ? pooled(metric) : median(metric);
    }

    private double pooled(Percentiles all, ToDoubleFunction<Percentiles> percentile, Metric metric) {
        return all == null ? median(metric) : percentile.applyAsDouble(all);
    }
}
