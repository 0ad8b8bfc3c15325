package org.cabrank.bench.scenario;

import java.util.List;
import java.util.function.Function;
import org.cabrank.bench.contender.Contender;
import org.cabrank.bench.contender.Contenders;
import org.cabrank.bench.scenario.Wishes.Extent;

/**
 * Cells that together answer one question about every contender. {@code from} is the smallest extent that includes the scenario. If it is
 * null, the scenario runs only if the user names it.
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
