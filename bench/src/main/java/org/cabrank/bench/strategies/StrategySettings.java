package org.cabrank.bench.strategies;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import org.cabrank.bench.contender.ServerSettings;
import org.cabrank.bench.run.RunnerSettings;
import org.cabrank.bench.serve.SlowRequests;

/**
 * What the experiment runs.
 *
 * @param strategies in the table's order; {@link Strategy#REFERENCE} and at least one other
 * @param threads one side of the grid
 * @param workNs the other
 * @param slow how often a request also blocks, in all cells
 * @param maxGapNs of deferred promotion
 * @param runs how each strategy is measured in each cell, once per round
 * @param maxTimeNs no run begins that would not end before
 */
public record StrategySettings(
        List<Strategy> strategies,
        List<Integer> threads,
        List<Long> workNs,
        SlowRequests slow,
        long maxGapNs,
        RunnerSettings runs,
        long maxTimeNs) {

    public StrategySettings {
        strategies = List.copyOf(strategies);
        threads = List.copyOf(threads);
        workNs = List.copyOf(workNs);
        if (!strategies.contains(Strategy.REFERENCE) || strategies.size() < 2) {
            throw new IllegalArgumentException("the strategies are compared with " + Strategy.REFERENCE.label()
                    + ": name it and at least one other");
        }
        distinct("threads", threads);
        distinct("work", workNs);
        for (int number : threads) {
            ServerSettings.checkThreads(number);
            for (long ns : workNs) {
                new ServerSettings(ns, slow, number, maxGapNs); // refuses what is out of range, in words
            }
        }
    }

    private static void distinct(String what, List<?> values) {
        if (values.isEmpty()) {
            throw new IllegalArgumentException("no value for " + what + " was given");
        }
        if (new HashSet<>(values).size() < values.size()) {
            throw new IllegalArgumentException("a value for " + what + " was given twice");
        }
    }

    /** All places, by threads and then by work. */
    List<Cell> cells() {
        List<Cell> cells = new ArrayList<>();
        for (int number : threads) {
            for (long ns : workNs) {
                cells.add(new Cell(number, ns));
            }
        }
        return cells;
    }

    ServerSettings server(Cell cell) {
        return new ServerSettings(cell.workNs(), slow, cell.threads(), maxGapNs);
    }
}
