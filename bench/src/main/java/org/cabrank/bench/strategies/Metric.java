package org.cabrank.bench.strategies;

import java.util.function.ToDoubleFunction;
import org.cabrank.bench.report.RunRecord.Measured;

/** What is measured in every cell. */
public enum Metric {
    THROUGHPUT("Requests/s", 0, true, Measured::requestsPerSecond),
    P50("Latency p50, us", 0, false, measured -> measured.latency().p50Ns() / 1e3),
    P99("Latency p99, us", 0, false, measured -> measured.latency().p99Ns() / 1e3),
    P999("Latency p99.9, us", 0, false, measured -> measured.latency().p999Ns() / 1e3),
    JITTER(
            "Jitter (standard deviation of the latency), us",
            0,
            false,
            measured -> measured.latency().stdDevNs() / 1e3),
    CPU(
            "CPU time of the server per request, us",
            1,
            false,
            measured -> measured.server().cpuNs() / 1e3 / measured.answers()),
    SWITCHES(
            "Context switches of the server per request",
            3,
            false,
            measured -> (double) measured.server().switches() / measured.answers()),
    ALLOCATED("Bytes allocated by the server per request", 1, false, Measured::allocatedBytesPerRequest);

    private final String title;
    private final int digits;
    private final boolean moreIsBetter;
    private final ToDoubleFunction<Measured> value;

    Metric(String title, int digits, boolean moreIsBetter, ToDoubleFunction<Measured> value) {
        this.title = title;
        this.digits = digits;
        this.moreIsBetter = moreIsBetter;
        this.value = value;
    }

    String title() {
        return title;
    }

    /** After the decimal point. */
    int digits() {
        return digits;
    }

    double of(Measured measured) {
        return value.applyAsDouble(measured);
    }

    /** Above 1: {@code one} is so many times better than {@code other}. */
    double advantage(Measured one, Measured other) {
        return moreIsBetter ? of(one) / of(other) : of(other) / of(one);
    }
}
