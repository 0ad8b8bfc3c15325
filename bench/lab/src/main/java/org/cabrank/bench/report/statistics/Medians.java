package org.cabrank.bench.report.statistics;

import java.util.Collection;
import org.apache.commons.statistics.descriptive.Median;

/** Middle values. */
public final class Medians {

    private Medians() {}

    /** Returns NaN if there is no value. */
    public static double of(double... values) {
        return Median.withDefaults().withCopy(true).evaluate(values);
    }

    public static double of(Collection<Double> values) {
        return of(values.stream().mapToDouble(Double::doubleValue).toArray());
    }
}
