package org.cabrank.bench.strategies;

import static org.cabrank.bench.strategies.Strategy.DEFERRED;
import static org.cabrank.bench.strategies.Strategy.EAGER;
import static org.cabrank.bench.strategies.Strategy.HSHR;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

final class StrategyScheduleTest {

    private static List<String> turns(StrategySettings settings) {
        return StrategySchedule.of(settings).turns().stream()
                .map(turn -> turn.round() + "." + turn.position() + " "
                        + turn.strategy().label() + " " + turn.cell())
                .toList();
    }

    @Test
    void everyRoundCoversTheGridAndCellsBeginWithAnotherStrategyEachTime() {
        assertEquals(
                List.of(
                        "1.1 deferred 2 threads, 0us",
                        "1.2 hshr 2 threads, 0us",
                        "1.1 deferred 2 threads, 50us",
                        "1.2 hshr 2 threads, 50us",
                        "2.1 hshr 2 threads, 0us",
                        "2.2 deferred 2 threads, 0us",
                        "2.1 hshr 2 threads, 50us",
                        "2.2 deferred 2 threads, 50us"),
                turns(Grids.settings(List.of(DEFERRED, HSHR), List.of(2), List.of(0L, 50_000L), 2)));
    }

    @Test
    void withOneThreadTheReactorRunsOnce() {
        assertEquals(
                List.of("1.1 eager 1 thread, 0us", "1.2 hshr 1 thread, 0us"),
                turns(Grids.settings(List.of(EAGER, DEFERRED, HSHR), List.of(1), List.of(0L), 1)));
    }
}
