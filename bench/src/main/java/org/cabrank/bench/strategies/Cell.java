package org.cabrank.bench.strategies;

import java.util.List;
import org.cabrank.bench.text.Durations;

/**
 * A place in the grid.
 *
 * @param threads that process requests
 * @param workNs the computing of each request
 */
public record Cell(int threads, long workNs) {

    /** Those of {@code wanted} that are told apart here: with one thread all Leader/Followers are the same. */
    List<Strategy> strategies(List<Strategy> wanted) {
        if (threads > 1) {
            return wanted;
        }
        Strategy reactor = wanted.stream()
                .filter(strategy -> !strategy.differsWithOneThread())
                .findFirst()
                .orElse(null);
        return wanted.stream()
                .filter(strategy -> strategy == reactor || strategy.differsWithOneThread())
                .toList();
    }

    /** In words: {@code 4 threads, 50us}. */
    @Override
    public String toString() {
        return threads + (threads == 1 ? " thread, " : " threads, ") + work();
    }

    String work() {
        return workNs == 0 ? "0us" : Durations.format(workNs);
    }
}
