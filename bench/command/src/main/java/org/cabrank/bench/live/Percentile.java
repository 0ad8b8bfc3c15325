package org.cabrank.bench.live;

/** Percentiles that the live view shows. */
enum Percentile {
    P50("p50", 50),
    P90("p90", 90),
    P99("p99", 99),
    P999("p99.9", 99.9),
    MAX("max", 100);

    private final String label;
    private final double percent;

    Percentile(String label, double percent) {
        this.label = label;
        this.percent = percent;
    }

    String label() {
        return label;
    }

    double percent() {
        return percent;
    }
}
