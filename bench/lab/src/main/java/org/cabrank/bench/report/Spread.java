package org.cabrank.bench.report;

import java.util.DoubleSummaryStatistics;
import java.util.List;
import org.cabrank.bench.report.statistics.Medians;

/** Spread of a metric over the successful runs. All fields are NaN if there is no run. */
public record Spread(double median, double min, double max) {

    public static Spread of(List<Double> values) {
        DoubleSummaryStatistics ends =
                values.stream().mapToDouble(Double::doubleValue).summaryStatistics();
        return ends.getCount() == 0
                ? new Spread(Double.NaN, Double.NaN, Double.NaN)
                : new Spread(Medians.of(values), ends.getMin(), ends.getMax());
    }
}
