package org.cabrank.bench.scenario;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.cabrank.bench.handler.SlowRequests;
import org.cabrank.bench.scenario.Wishes.Extent;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class ScenariosTest {

    @ParameterizedTest
    @EnumSource(Extent.class)
    void everyScenarioHasCellsOfItsNameAndNoIdTwice(Extent extent) {
        Set<String> ids = new HashSet<>();
        for (Scenario scenario : Scenarios.named(Scenarios.names())) {
            List<Cell> cells = scenario.cells(new Wishes(extent, List.of(), List.of(), null));
            assertFalse(cells.isEmpty(), scenario.name());
            for (Cell cell : cells) {
                assertEquals(scenario.name(), cell.scenario());
                assertTrue(ids.add(cell.id()), cell.id());
            }
        }
    }

    @Test
    void namedPointsApplyToEveryScenario() {
        Wishes wishes = new Wishes(Extent.STANDARD, List.of(3, 5), List.of(64, 1_024), null);
        assertEquals(
                List.of(
                        "ping-pong/3x64B",
                        "ping-pong/5x64B",
                        "ping-pong/3x1KiB",
                        "ping-pong/5x1KiB",
                        "slow/1permille-5ms-3x64B"),
                ids(wishes, Scenarios.PING_PONG, Scenarios.SLOW).subList(0, 5));
    }

    @Test
    void serversAreSlowInEveryCellWhereTheUserSaysSo() {
        SlowRequests slow = new SlowRequests(7, 2_000_000);
        Wishes wishes = new Wishes(Extent.STANDARD, List.of(), List.of(), slow);
        assertEquals(List.of("slow/7permille-2ms"), ids(wishes, Scenarios.SLOW));
        for (Cell cell : wishes.cells(Scenarios.named(Scenarios.names()))) {
            assertEquals(slow.permille(), cell.slow().permille(), cell.id());
            assertEquals(slow.timeNs(), cell.slow().timeNs(), cell.id());
        }
    }

    @Test
    void ratesAreSharesOfACapacityThatIsFoundOutLater() {
        Cell half = Wishes.STANDARD.cells(Scenarios.named(List.of("rate"))).get(1);
        assertEquals("rate/50%", half.id());
        assertTrue(half.wantsCapacity());
        assertEquals(50_000, half.info(100_000).ratePerSecond());
        assertEquals(0, half.traffic().ratePerSecond());
    }

    private static List<String> ids(Wishes wishes, String... scenarios) {
        return wishes.cells(Scenarios.named(List.of(scenarios))).stream()
                .map(Cell::id)
                .toList();
    }
}
