package org.cabrank.bench.report;

import java.util.List;
import org.cabrank.bench.report.statistics.Medians;

/** The few statistics that a handful of rounds carries. */
public final class Statistics {

    private Statistics() {}

    /** The middle value, or the mean of the two in the middle. NaN when there are none. */
    public static double median(double... values) {
        return Medians.of(values);
    }

    public static double median(List<Double> values) {
        return Medians.of(values);
    }

    /** NaN when there are none. */
    public static double min(List<Double> values) {
        return values.stream().mapToDouble(Double::doubleValue).min().orElse(Double.NaN);
    }

    /** NaN when there are none. */
    public static double max(List<Double> values) {
        return values.stream().mapToDouble(Double::doubleValue).max().orElse(Double.NaN);
    }
}
