package org.cabrank.bench.strategies;

import java.util.ArrayList;
import java.util.List;

/**
 * Who runs when. Each round covers the whole grid, so that what changes slowly meets all of it; within a cell the strategies
 * follow one another, so that those that are compared ran under the same conditions; each round begins the cells with
 * another strategy, so that none always follows the same.
 */
record StrategySchedule(List<Turn> turns) {

    /**
     * One run.
     *
     * @param round from 1
     * @param position in its cell in this round, from 1
     */
    record Turn(int round, int position, Cell cell, Strategy strategy) {}

    static StrategySchedule of(StrategySettings settings) {
        List<Turn> turns = new ArrayList<>();
        for (int round = 0; round < settings.runs().rounds(); round++) {
            for (Cell cell : settings.cells()) {
                List<Strategy> strategies = cell.strategies(settings.strategies());
                for (int position = 0; position < strategies.size(); position++) {
                    Strategy strategy = strategies.get((position + round) % strategies.size());
                    turns.add(new Turn(round + 1, position + 1, cell, strategy));
                }
            }
        }
        return new StrategySchedule(List.copyOf(turns));
    }
}
