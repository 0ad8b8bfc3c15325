package org.cabrank.bench.scenario;

import java.util.List;
import org.cabrank.bench.handler.SlowRequests;

/** The user's choice of cells. If a list is empty or {@code slow} is null, the scenario chooses the values. */
public record Wishes(Extent extent, List<Integer> connections, List<Integer> sizesBytes, SlowRequests slow) {

    /** Size of a run. */
    public enum Extent {
        /** A run of about 2 min. */
        QUICK,
        /** A run of about 15 min with the most important cells and contenders. */
        FOCUSED,
        /** A run with all cells. It takes 15 min or more. */
        STANDARD
    }

    public static final Wishes STANDARD = new Wishes(Extent.STANDARD, List.of(), List.of(), null);

    public Wishes {
        connections = List.copyOf(connections);
        sizesBytes = List.copyOf(sizesBytes);
    }

    public List<Cell> cells(List<Scenario> scenarios) {
        return scenarios.stream()
                .flatMap(scenario -> scenario.cells(this).stream())
                .map(cell -> slow == null || cell.ownSlow() != null ? cell : cell.withSlow(slow))
                .toList();
    }

    public boolean namesPoints() {
        return !connections.isEmpty() || !sizesBytes.isEmpty();
    }

    List<Integer> connectionsElse(Integer... own) {
        return connections.isEmpty() ? List.of(own) : connections;
    }

    List<Integer> sizesElse(Integer... own) {
        return sizesBytes.isEmpty() ? List.of(own) : sizesBytes;
    }

    boolean fewCells() {
        return extent == Extent.QUICK || extent == Extent.FOCUSED;
    }
}
