package org.cabrank.bench.scenario;

import java.util.List;
import java.util.function.Function;
import org.cabrank.bench.contender.Contender;
import org.cabrank.bench.contender.Contenders;
import org.cabrank.bench.scenario.Wishes.Extent;

/**
 * Cells that together answer one question about every contender.
 *
 * @param from smallest extent of a run that has the scenario; null: it runs only if it is named
 * @param shows a sentence about the question that the scenario answers
 * @param points makes the scenario's cells for the user's wishes
 * @param contenders servers that are compared unless the user names others
 */
public record Scenario(
        String name,
        Extent from,
        String shows,
        Function<Wishes, List<Cell>> points,
        Function<Extent, List<Contender>> contenders) {

    Scenario(String name, Extent from, String shows, Function<Wishes, List<Cell>> points) {
        this(name, from, shows, points, extent -> switch (extent) {
            case QUICK -> Contenders.quick();
            case FOCUSED -> Contenders.focused();
            case STANDARD -> Contenders.standard();
        });
    }

    /** Returns at least one cell, in the order of measurement. */
    public List<Cell> cells(Wishes wishes) {
        return points.apply(wishes);
    }
}
