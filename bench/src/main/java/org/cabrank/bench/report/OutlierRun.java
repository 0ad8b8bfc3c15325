package org.cabrank.bench.report;

/**
 * A run that lies far from the others of its contender in its cell. It counts like any other.
 *
 * @param value of the cell's headline
 * @param ofMedian the same in terms of the median of all runs
 */
public record OutlierRun(int round, int slice, double value, double ofMedian) {}
