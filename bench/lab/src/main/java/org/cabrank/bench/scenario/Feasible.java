package org.cabrank.bench.scenario;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/** At least one cell that can be measured on this machine. {@code leftOut}: reasons for the other cells, by cell id. */
public record Feasible(List<Cell> cells, Map<String, String> leftOut) {

    public Feasible {
        cells = List.copyOf(cells);
        leftOut = new TreeMap<>(leftOut);
        if (cells.isEmpty()) {
            throw new IllegalArgumentException("nothing is left to be measured: " + leftOut);
        }
    }

    /** @param skipReason returns the reason why a cell cannot be measured; null if it can */
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
