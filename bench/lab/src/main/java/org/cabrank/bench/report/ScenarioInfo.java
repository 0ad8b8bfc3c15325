package org.cabrank.bench.report;

import java.util.List;

/** Cells that together answer one question about every contender. {@code shows} describes the question in a sentence. */
public record ScenarioInfo(String name, String shows, List<CellInfo> cells) {

    public ScenarioInfo {
        cells = List.copyOf(cells);
    }
}
