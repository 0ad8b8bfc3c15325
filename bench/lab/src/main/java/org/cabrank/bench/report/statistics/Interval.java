package org.cabrank.bench.report.statistics;

import com.fasterxml.jackson.annotation.JsonIgnore;

/** Median of paired ratios (NaN without pairs), and the bounds of the true median at a level of confidence (NaN with too few pairs). */
public record Interval(double median, double low, double high, int pairs) {

    /** Returns true if there are enough pairs for the level. */
    @JsonIgnore
    public boolean known() {
        return !Double.isNaN(low) && !Double.isNaN(high);
    }

    /** Returns true if the true median may be 1. Must not be called if the interval is not {@link #known}. */
    public boolean spansOne() {
        return low <= 1 && high >= 1;
    }

    /** Distance of the farther bound from 1, as a factor of at least 1; NaN if the interval is not {@link #known}. */
    public double farthestFromOne() {
        return Math.max(Math.max(low, 1 / low), Math.max(high, 1 / high));
    }
}
