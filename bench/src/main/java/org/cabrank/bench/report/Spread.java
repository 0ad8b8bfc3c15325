package org.cabrank.bench.report;

import java.util.List;

/** Of the runs that went well; NaN where there are none. */
public record Spread(double median, double min, double max) {

    static Spread of(List<Double> values) {
        return new Spread(Statistics.median(values), Statistics.min(values), Statistics.max(values));
    }
}
