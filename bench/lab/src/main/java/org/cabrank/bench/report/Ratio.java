package org.cabrank.bench.report;

import org.cabrank.bench.report.statistics.Interval;
import org.cabrank.bench.report.statistics.Verdict;

/** A contender's ratio to the baseline, pair by pair. */
public record Ratio(Interval interval, Verdict verdict) {}
