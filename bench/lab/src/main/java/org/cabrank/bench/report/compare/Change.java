package org.cabrank.bench.report.compare;

import org.cabrank.bench.report.ContenderKind;
import org.cabrank.bench.report.Metric;
import org.cabrank.bench.report.statistics.Interval;
import org.cabrank.bench.report.statistics.Verdict;

/**
 * One metric of a contender in one cell, before and after: medians of the runs.
 *
 * @param relative true if {@code factor} compares ratios to the baseline, which cancels the machine's influence; false if values
 * @param factor {@code after} divided by {@code before}
 * @param noiseBefore the baseline's difference from itself, as a factor of at least 1; NaN if not measured
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

    public boolean judged() {
        return factor.known() && Double.isFinite(noiseBefore) && Double.isFinite(noiseAfter);
    }

    public boolean regression() {
        return kind == ContenderKind.CABRANK && verdict == Verdict.WORSE && judged();
    }
}
