package org.cabrank.bench.report;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.cabrank.bench.report.statistics.Interval;

/**
 * Result of a cell.
 *
 * @param cell id of the cell
 * @param noiseFloor the baseline's second run against its first, for every metric; empty without a second run
 * @param contenders results in the order of the report; without contenders that have no run in this cell
 */
public record CellResult(String cell, Map<Metric, Interval> noiseFloor, List<ContenderResult> contenders) {

    public Optional<ContenderResult> contender(String name) {
        return contenders.stream()
                .filter(result -> result.contender().equals(name))
                .findFirst();
    }
}
