package org.cabrank.bench.report;

import java.util.function.ToDoubleFunction;
import org.cabrank.bench.report.RunRecord.Latency;
import org.cabrank.bench.report.RunRecord.Measured;

/** Metric by which contenders are compared. */
public enum Metric {
    REQUESTS_PER_SECOND("requests/s", true, Measured::requestsPerSecond),
    REQUESTS_PER_CPU_SECOND(
            "requests per CPU second",
            true,
            run -> run.answers() * 1e9 / positive(run.server().cpuNs())),
    P50_US("p50, µs", false, latency(Latency::p50Ns)),
    P99_US("p99, µs", false, latency(Latency::p99Ns)),
    P999_US("p99.9, µs", false, latency(Latency::p999Ns)),
    FAST_P50_US("p50 of fast requests, µs", false, fast(Latency::p50Ns)),
    FAST_P99_US("p99 of fast requests, µs", false, fast(Latency::p99Ns)),
    FAST_P999_US("p99.9 of fast requests, µs", false, fast(Latency::p999Ns));

    private final String label;
    private final boolean moreIsBetter;
    private final ToDoubleFunction<Measured> value;

    Metric(String label, boolean moreIsBetter, ToDoubleFunction<Measured> value) {
        this.label = label;
        this.moreIsBetter = moreIsBetter;
        this.value = value;
    }

    public static Metric headline(CellInfo cell) {
        if (cell.ownRates()) {
            return FAST_P99_US;
        }
        return cell.ratePerSecond() > 0 ? P999_US : REQUESTS_PER_SECOND;
    }

    public String label() {
        return label;
    }

    public boolean moreIsBetter() {
        return moreIsBetter;
    }

    /** Returns NaN if the metric was not measured. */
    public double of(Measured run) {
        return value.applyAsDouble(run);
    }

    private static ToDoubleFunction<Measured> latency(ToDoubleFunction<Latency> percentile) {
        return run -> run.latency() == null ? Double.NaN : percentile.applyAsDouble(run.latency()) / 1e3;
    }

    private static ToDoubleFunction<Measured> fast(ToDoubleFunction<Latency> percentile) {
        return run -> run.fast() == null
                ? Double.NaN
                : percentile.applyAsDouble(run.fast().latency()) / 1e3;
    }

    private static double positive(double value) {
        return value > 0 ? value : Double.NaN;
    }
}
