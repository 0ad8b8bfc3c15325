package org.cabrank.bench.report.statistics;

import com.fasterxml.jackson.annotation.JsonIgnore;

/**
 * The median of paired ratios, and the interval that holds the true median with at least the stated probability.
 *
 * @param median median of the pairs; NaN without pairs
 * @param low NaN if there are too few pairs for the level
 * @param high NaN if there are too few pairs for the level
 * @param pairs number of ratios
 */
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

    /** Distance of the farther end of the interval from 1, as a factor of at least 1; NaN if the interval is not {@link #known}. */
    public double farthestFromOne() {
        return Math.max(Math.max(low, 1 / low), Math.max(high, 1 / high));
    }
}
