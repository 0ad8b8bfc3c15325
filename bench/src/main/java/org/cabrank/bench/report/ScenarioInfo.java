package org.cabrank.bench.report;

import java.util.List;

/**
 * A question that was put to every contender.
 *
 * @param name such as {@code ping-pong}
 * @param shows what the answer shows, in a sentence
 * @param cells in the order of the report
 */
public record ScenarioInfo(String name, String shows, List<CellInfo> cells) {

    public ScenarioInfo {
        cells = List.copyOf(cells);
    }
}
