package org.cabrank.bench.scenario;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/** The cells that can be measured on this machine, at least one. {@code leftOut} maps the id of each other cell to the reason. */
public record Feasible(List<Cell> cells, Map<String, String> leftOut) {

    public Feasible {
        cells = List.copyOf(cells);
        leftOut = new TreeMap<>(leftOut);
        if (cells.isEmpty()) {
            throw new IllegalArgumentException("nothing is left to be measured: " + leftOut);
        }
    }

    /** @param skipReason returns the reason why a cell cannot be measured, or null if it can be measured */
    public static Feasible of(List<Cell> wanted, Function<Cell, String> skipReason) {
        List<Cell> cells = new ArrayList<>();
        Map<String, String> leftOut = new TreeMap<>();
        for (Cell cell : wanted) {
            String reason = skipReason.apply(cell);
            if (reason == null) {
                cells.add(cell);
            } else {
                leftOut.put(cell.id(), reason);
            }
        }
        return new Feasible(cells, leftOut);
    }
}
