package org.cabrank.bench.report.statistics;

import java.util.Arrays;
import java.util.Collection;

/** Middle values. */
public final class Medians {

    private Medians() {}

    /** The middle value, or the mean of the two in the middle. NaN when there are none. */
    public static double of(double... values) {
        if (values.length == 0) {
            return Double.NaN;
        }
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }

    public static double of(Collection<Double> values) {
        return of(values.stream().mapToDouble(Double::doubleValue).toArray());
    }
}
