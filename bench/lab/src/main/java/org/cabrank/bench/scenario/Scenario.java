package org.cabrank.bench.scenario;

import java.util.List;
import java.util.function.Function;

/**
 * A scenario: cells that together answer one question about every contender.
 *
 * @param name name on the command line
 * @param shows a sentence about the question that it answers
 * @param points makes the scenario's cells for the user's wishes
 */
public record Scenario(String name, String shows, Function<Wishes, List<Cell>> points) {

    /** The scenario's cells in the order of measurement; at least one. */
    public List<Cell> cells(Wishes wishes) {
        return points.apply(wishes);
    }
}
