package org.cabrank.bench.report.statistics;

import com.fasterxml.jackson.annotation.JsonIgnore;

/** Median of paired ratios, with a confidence interval. The median is NaN without pairs. The bounds are NaN if there are too few pairs. */
public record Interval(double median, double low, double high, int pairs) {

    @JsonIgnore
    public boolean known() {
        return !Double.isNaN(low) && !Double.isNaN(high);
    }

    /** Returns true if the true median may be 1. Must be called only if the interval is {@link #known}. */
    public boolean spansOne() {
        return low <= 1 && high >= 1;
    }

    /** Returns the distance of the farther bound from 1, as a factor of at least 1. Returns NaN if the interval is not {@link #known}. */
    public double farthestFromOne() {
        return Math.max(Math.max(low, 1 / low), Math.max(high, 1 / high));
    }
}
