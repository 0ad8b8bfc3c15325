package org.cabrank.bench.strategies;

import java.util.List;
import org.cabrank.bench.run.RunnerSettings;
import org.cabrank.bench.serve.SlowRequests;

/** Settings and runs for tests. */
final class Grids {

    private Grids() {}

    static StrategySettings settings(List<Strategy> strategies, List<Integer> threads, List<Long> workNs, int rounds) {
        return new StrategySettings(
                strategies,
                threads,
                workNs,
                SlowRequests.NONE,
                2_000_000,
                new RunnerSettings(rounds, 1, 1, 4, 64, null, null, 0),
                1_000_000_000L);
    }
}
