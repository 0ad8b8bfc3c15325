package org.cabrank.bench.report;

import org.cabrank.bench.report.statistics.Interval;
import org.cabrank.bench.report.statistics.Verdict;

/** Ratio of a contender to the baseline. */
public record Ratio(Interval interval, Verdict verdict) {}
