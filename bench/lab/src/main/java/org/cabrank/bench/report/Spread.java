package org.cabrank.bench.report;

import java.util.List;

/** Spread of a figure over the successful runs; NaN without runs. */
public record Spread(double median, double min, double max) {

    /** Spread of {@code values}. */
    public static Spread of(List<Double> values) {
        return new Spread(Statistics.median(values), Statistics.min(values), Statistics.max(values));
    }
}
