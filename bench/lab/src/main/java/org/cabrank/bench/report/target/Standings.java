package org.cabrank.bench.report.target;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.cabrank.bench.report.BenchReport.ContenderInfo;
import org.cabrank.bench.report.CellInfo;
import org.cabrank.bench.report.CellResult;
import org.cabrank.bench.report.ContenderResult;
import org.cabrank.bench.report.Metric;
import org.cabrank.bench.report.ScenarioInfo;

/** The results of a run, to be asked who was best where. */
record Standings(List<ScenarioInfo> scenarios, List<ContenderInfo> contenders, List<CellResult> cells) {

    /** Cells with results for which {@code wanted} holds, given the name of their scenario. */
    Stream<CellResult> cells(BiPredicate<String, CellInfo> wanted) {
        return scenarios.stream()
                .flatMap(scenario -> scenario.cells().stream()
                        .filter(cell -> wanted.test(scenario.name(), cell))
                        .flatMap(cell ->
                                cells.stream().filter(result -> result.cell().equals(cell.id()))));
    }

    /** Empty when nobody of those was measured. */
    Optional<ContenderResult> best(CellResult cell, Predicate<ContenderInfo> who, Metric metric) {
        Comparator<ContenderResult> better = Comparator.comparingDouble(result -> result.median(metric));
        return all(cell, who)
                .filter(result -> !Double.isNaN(result.median(metric)))
                .max(metric.moreIsBetter() ? better : better.reversed());
    }

    Stream<ContenderResult> all(CellResult cell, Predicate<ContenderInfo> who) {
        return contenders.stream().filter(who).flatMap(info -> cell.contender(info.name()).stream());
    }
}
