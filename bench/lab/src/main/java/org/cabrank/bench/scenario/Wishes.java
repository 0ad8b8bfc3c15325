package org.cabrank.bench.scenario;

import java.util.List;
import org.cabrank.bench.handler.SlowRequests;

/**
 * The user's choice of a scenario's cells.
 *
 * @param extent number of cells if the user names none
 * @param connections number of connections of the cells; empty: the scenario's own
 * @param sizesBytes sizes of requests in bytes; empty: the scenario's own
 * @param slow simulated blocking of every server; null: the scenario's own
 */
public record Wishes(Extent extent, List<Integer> connections, List<Integer> sizesBytes, SlowRequests slow) {

    /** Extent to which a scenario is measured. */
    public enum Extent {
        /** Two minutes in all. */
        QUICK,
        /** A quarter of an hour for the most important cells and contenders, so that differences are visible. */
        FOCUSED,
        /** Every cell of the scenarios, in a quarter of an hour if that is enough. */
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

    /** Returns true if the user names points of a scenario. */
    public boolean namesPoints() {
        return !connections.isEmpty() || !sizesBytes.isEmpty();
    }

    List<Integer> connectionsElse(Integer... own) {
        return connections.isEmpty() ? List.of(own) : connections;
    }

    List<Integer> sizesElse(Integer... own) {
        return sizesBytes.isEmpty() ? List.of(own) : sizesBytes;
    }

    /** Returns true if a scenario has only its most important cell. */
    boolean fewCells() {
        return extent == Extent.QUICK || extent == Extent.FOCUSED;
    }
}
