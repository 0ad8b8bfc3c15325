package org.cabrank.bench.strategies;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.cabrank.bench.report.Comparison;
import org.cabrank.bench.report.RunRecord.Measured;
import org.cabrank.bench.report.Statistics;

/**
 * One strategy in one cell, over all rounds.
 *
 * @param rounds how many went well
 * @param failures how many did not
 * @param medians of the rounds
 * @param against the comparisons with {@link Strategy#REFERENCE}; empty for itself
 */
public record CellSummary(
        Cell cell,
        Strategy strategy,
        int rounds,
        int failures,
        Map<Metric, Double> medians,
        Map<Metric, Comparison> against) {

    static CellSummary of(Cell cell, Strategy strategy, List<StrategyRun> runs) {
        List<StrategyRun> own = of(runs, cell, strategy);
        List<Measured> good = own.stream()
                .filter(run -> !run.run().failed())
                .map(run -> run.run().measured())
                .toList();
        Map<Metric, Double> medians = new EnumMap<>(Metric.class);
        Map<Metric, Comparison> against = new EnumMap<>(Metric.class);
        for (Metric metric : Metric.values()) {
            medians.put(metric, Statistics.median(good.stream().map(metric::of).toList()));
            if (strategy != Strategy.REFERENCE) {
                against.put(metric, Comparison.of(advantages(metric, own, of(runs, cell, Strategy.REFERENCE))));
            }
        }
        return new CellSummary(cell, strategy, good.size(), own.size() - good.size(), medians, against);
    }

    private static List<StrategyRun> of(List<StrategyRun> runs, Cell cell, Strategy strategy) {
        return runs.stream()
                .filter(run -> run.cell().equals(cell) && run.strategy() == strategy)
                .toList();
    }

    /** Of the rounds in which both went well. A metric that is 0 on both sides tells nothing, and is left out. */
    private static List<Double> advantages(Metric metric, List<StrategyRun> own, List<StrategyRun> reference) {
        return own.stream()
                .filter(run -> !run.run().failed())
                .flatMap(run -> reference.stream()
                        .filter(other -> other.run().round() == run.run().round()
                                && !other.run().failed())
                        .map(other -> metric.advantage(
                                run.run().measured(), other.run().measured())))
                .filter(advantage -> !advantage.isNaN())
                .toList();
    }
}
