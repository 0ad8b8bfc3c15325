package org.cabrank.bench.report;

import java.util.List;

/**
 * A scenario: cells that together answer one question about every contender.
 *
 * @param name such as {@code ping-pong}
 * @param shows a sentence about the question that it answers
 * @param cells cells in the order of the report
 */
public record ScenarioInfo(String name, String shows, List<CellInfo> cells) {

    public ScenarioInfo {
        cells = List.copyOf(cells);
    }
}
