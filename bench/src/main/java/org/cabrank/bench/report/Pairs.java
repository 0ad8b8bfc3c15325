package org.cabrank.bench.report;

import java.util.List;

/** Runs of two contenders in the same round and slice of a cell. */
public final class Pairs {

    private Pairs() {}

    /** {@code contender} in terms of {@code other}, for each pair among one cell's {@code runs} in which both went well. */
    public static List<Double> ratios(List<RunRecord> runs, String contender, String other, Metric metric) {
        return runs.stream()
                .filter(run -> run.contender().equals(contender) && run.compared())
                .flatMap(run -> runs.stream()
                        .filter(partner -> partner.contender().equals(other)
                                && partner.compared()
                                && partner.round() == run.round()
                                && partner.slice() == run.slice())
                        .map(partner -> metric.of(run.measured()) / metric.of(partner.measured())))
                .filter(ratio -> ratio > 0 && !ratio.isInfinite())
                .toList();
    }
}
