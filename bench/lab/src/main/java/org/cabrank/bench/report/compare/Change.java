package org.cabrank.bench.report.compare;

import org.cabrank.bench.report.ContenderKind;
import org.cabrank.bench.report.Metric;
import org.cabrank.bench.report.statistics.Interval;
import org.cabrank.bench.report.statistics.Verdict;

/**
 * Change of one metric of a contender in one cell. {@code factor} compares ratios to the baseline if {@code relative}, and otherwise the
 * measured values. {@code noiseBefore} is at least 1, or NaN if not measured.
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
