package org.cabrank.bench.scenario;

import java.util.List;
import java.util.function.Function;

/**
 * A question that is put to every contender.
 *
 * @param name what {@code --scenario} takes
 * @param shows what its answer shows, in a sentence
 * @param points its cells, for what the user wants
 */
public record Scenario(String name, String shows, Function<Wishes, List<Cell>> points) {

    /** Its cells, in the order in which they are measured; at least one. */
    public List<Cell> cells(Wishes wishes) {
        return points.apply(wishes);
    }
}
