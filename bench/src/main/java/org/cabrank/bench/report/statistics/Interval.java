package org.cabrank.bench.report.statistics;

import com.fasterxml.jackson.annotation.JsonIgnore;

/**
 * The median of paired ratios, and the interval that holds the true median with at least the stated probability.
 *
 * @param median of the pairs; NaN when there are none
 * @param low NaN when there are too few pairs for the level
 * @param high NaN when there are too few pairs for the level
 * @param level the probability that was asked for, such as 0.95
 * @param pairs how many ratios there are
 * @param method how the ends were found, in words
 */
public record Interval(double median, double low, double high, double level, int pairs, String method) {

    /** Whether there are enough pairs for the level. */
    @JsonIgnore
    public boolean known() {
        return !Double.isNaN(low) && !Double.isNaN(high);
    }

    /** Whether the true median may be 1. Not to be asked of an interval that is not known. */
    public boolean spansOne() {
        return low <= 1 && high >= 1;
    }

    /** How far an end is from 1, as a factor of at least 1; NaN when the interval is not known. */
    public double farthestFromOne() {
        return Math.max(Math.max(low, 1 / low), Math.max(high, 1 / high));
    }
}
