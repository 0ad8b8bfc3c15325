package org.cabrank.bench.scenario;

import java.util.List;
import org.cabrank.bench.handler.SlowRequests;

/** The user's choice of cells; the scenario chooses empty and null values according to {@code extent}. */
public record Wishes(Extent extent, List<Integer> connections, List<Integer> sizesBytes, SlowRequests slow) {

    /** Extent to which a scenario is measured. */
    public enum Extent {
        /** Takes 2 min in all. */
        QUICK,
        /** Takes 15 min for the most important cells and contenders, so that differences are visible. */
        FOCUSED,
        /** Takes every cell, in 15 min if that is enough. */
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
