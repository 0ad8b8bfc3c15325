package org.cabrank.bench.report;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.cabrank.bench.report.statistics.Interval;

/**
 * What a cell came to.
 *
 * @param cell its id
 * @param noiseFloor of every metric, the baseline's second run against its first; empty where there was none
 * @param contenders in the order of the report; without those that have no run in this cell
 */
public record CellResult(String cell, Map<Metric, Interval> noiseFloor, List<ContenderResult> contenders) {

    public Optional<ContenderResult> contender(String name) {
        return contenders.stream()
                .filter(result -> result.contender().equals(name))
                .findFirst();
    }
}
