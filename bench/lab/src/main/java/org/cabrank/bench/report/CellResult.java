package org.cabrank.bench.report;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.cabrank.bench.report.statistics.Interval;

/** Result of a cell. {@code noiseFloor} is the ratio of the baseline's second run to its first run. */
public record CellResult(String cell, Map<Metric, Interval> noiseFloor, List<ContenderResult> contenders) {

    public Optional<ContenderResult> contender(String name) {
        return contenders.stream()
                .filter(result -> result.contender().equals(name))
                .findFirst();
    }
}
