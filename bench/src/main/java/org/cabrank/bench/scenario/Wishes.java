package org.cabrank.bench.scenario;

import java.util.List;
import org.cabrank.bench.serve.SlowRequests;

/**
 * Which of its cells a scenario is to have.
 *
 * @param extent how many, where the user names none
 * @param connections of every cell; empty: the scenario's own
 * @param sizesBytes of requests; empty: the scenario's own
 * @param slow of every server; null: the scenario's own
 */
public record Wishes(Extent extent, List<Integer> connections, List<Integer> sizesBytes, SlowRequests slow) {

    /** How much of a scenario is measured. */
    public enum Extent {
        /** Two minutes for all. */
        QUICK,
        /** A quarter of an hour for all. */
        STANDARD,
        /** All that was thought of. */
        FULL
    }

    public static final Wishes STANDARD = new Wishes(Extent.STANDARD, List.of(), List.of(), null);

    public Wishes {
        connections = List.copyOf(connections);
        sizesBytes = List.copyOf(sizesBytes);
    }

    /** The cells of {@code scenarios}. */
    public List<Cell> cells(List<Scenario> scenarios) {
        return scenarios.stream()
                .flatMap(scenario -> scenario.cells(this).stream())
                .map(cell -> slow == null ? cell : cell.withSlow(slow))
                .toList();
    }

    /** Whether the user names points of a scenario himself. */
    public boolean namesPoints() {
        return !connections.isEmpty() || !sizesBytes.isEmpty();
    }

    List<Integer> connectionsElse(Integer... own) {
        return connections.isEmpty() ? List.of(own) : connections;
    }

    List<Integer> sizesElse(Integer... own) {
        return sizesBytes.isEmpty() ? List.of(own) : sizesBytes;
    }

    boolean full() {
        return extent == Extent.FULL;
    }
}
