package org.cabrank.bench.report.compare;

import org.cabrank.bench.report.ContenderKind;
import org.cabrank.bench.report.Metric;
import org.cabrank.bench.report.statistics.Interval;
import org.cabrank.bench.report.statistics.Verdict;

/**
 * One contender in one cell, before and after.
 *
 * @param before the median of the runs
 * @param after the median of the runs
 * @param relative whether {@code factor} is of the ratios to the baseline, from which what the machine does has gone, or of
 *     the values themselves
 * @param factor after in terms of before
 * @param noiseBefore what the baseline differed from itself, as a factor of at least 1; NaN where that was not measured
 * @param noiseAfter the same
 */
public record Change(
        String cell,
        String contender,
        ContenderKind kind,
        Metric metric,
        double before,
        double after,
        boolean relative,
        Interval factor,
        double noiseBefore,
        double noiseAfter,
        Verdict verdict) {

    /** Whether Cabrank has become worse by more than noise. */
    public boolean regression() {
        return kind == ContenderKind.CABRANK && verdict == Verdict.WORSE;
    }
}
