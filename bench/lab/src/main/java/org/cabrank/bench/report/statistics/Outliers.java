package org.cabrank.bench.report.statistics;

import java.util.List;

/**
 * Values that lie far from the rest, by the median of the absolute deviations from the median (Hampel, 1974), on
 * logarithms: what takes twice and what takes half as long are equally far off. They are to be shown, never to be dropped.
 */
public final class Outliers {

    /** Threshold in standard deviations; the usual choice of Iglewicz and Hoaglin (1993). */
    private static final double FAR = 3.5;

    /** Ratio of the standard deviation of a normal distribution to its median absolute deviation. */
    private static final double NORMAL = 1.4826;

    /** Minimum relative distance of an outlier, however well the other values agree. */
    private static final double RELATIVE_MIN = 0.02;

    /** Minimum number of values; with fewer, an outlier cannot be identified. */
    private static final int VALUES_MIN = 5;

    private Outliers() {}

    /** Returns true at the index of each of {@code values} that is an outlier; the values are positive. */
    public static List<Boolean> mark(List<Double> values) {
        if (values.size() < VALUES_MIN) {
            return values.stream().map(value -> false).toList();
        }
        List<Double> logs = values.stream().map(Math::log).toList();
        double median = Medians.of(logs);
        double deviation =
                Medians.of(logs.stream().map(log -> Math.abs(log - median)).toList());
        double limit = Math.max(FAR * NORMAL * deviation, Math.log1p(RELATIVE_MIN));
        return logs.stream().map(log -> Math.abs(log - median) > limit).toList();
    }
}
