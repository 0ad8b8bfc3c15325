package org.cabrank.bench.report;

import java.util.List;

/** Cells that together answer one question about every contender. {@code shows}: a sentence about that question. */
public record ScenarioInfo(String name, String shows, List<CellInfo> cells) {

    public ScenarioInfo {
        cells = List.copyOf(cells);
    }
}
