package org.cabrank.bench.report;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.cabrank.bench.report.statistics.Interval;

/** Result of a cell. {@code noiseFloor}: the baseline's second run against its first. {@code contenders}: those with a run in this cell. */
public record CellResult(String cell, Map<Metric, Interval> noiseFloor, List<ContenderResult> contenders) {

    public Optional<ContenderResult> contender(String name) {
        return contenders.stream()
                .filter(result -> result.contender().equals(name))
                .findFirst();
    }
}
