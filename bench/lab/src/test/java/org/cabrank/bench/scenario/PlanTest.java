package org.cabrank.bench.scenario;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.cabrank.bench.contender.Contenders;
import org.cabrank.bench.scenario.Plan.MeasuringPace;
import org.cabrank.bench.scenario.Wishes.Extent;
import org.junit.jupiter.api.Test;

final class PlanTest {

    private static final long MINUTE = 60_000_000_000L;
    private static final int PAIRS_FEWEST = 6;

    /** Servers of the standard run, the control included. */
    private static final int ALL = Contenders.standard().size() + 1;

    @Test
    void allOfItTakesLessThanAQuarterOfAnHour() {
        for (int contenders : new int[] {2, 11, ALL}) {
            Plan plan = Plan.of(cells(Extent.STANDARD), turnout(contenders), Extent.STANDARD, MeasuringPace.PLANNED);
            assertTrue(plan.estimateNs() <= 13.5 * MINUTE, contenders + " contenders: " + plan.estimateNs());
            assertTrue(plan.rounds() * plan.slices() >= PAIRS_FEWEST);
        }
    }

    @Test
    void theDefaultRunTakesAQuarterOfAnHour() {
        Plan plan = Plan.of(
                cells(Extent.FOCUSED), Turnout.of(Contenders.focused(), true), Extent.FOCUSED, MeasuringPace.PLANNED);
        assertTrue(plan.estimateNs() <= 15 * MINUTE, "" + plan.estimateNs());
        assertTrue(plan.rounds() >= 4, "" + plan.rounds());
        assertTrue(plan.durationNs() >= 250_000_000L, "" + plan.durationNs());
        assertTrue(plan.cells().size() >= 7, plan.cells().toString());
    }

    @Test
    void quickIsLessThanTwoMinutes() {
        Plan plan = Plan.of(cells(Extent.QUICK), turnout(5), Extent.QUICK, MeasuringPace.PLANNED);
        assertTrue(plan.estimateNs() <= 1.7 * MINUTE, "" + plan.estimateNs());
        assertTrue(plan.rounds() * plan.slices() >= PAIRS_FEWEST);
    }

    @Test
    void explicitSettingOfTheUserWins() {
        Plan plan = Plan.of(
                cells(Extent.STANDARD),
                turnout(ALL),
                Extent.STANDARD,
                new MeasuringPace(7, 5, 3L * MINUTE, 2L * MINUTE));
        assertEquals(7, plan.rounds());
        assertEquals(5, plan.slices());
        assertEquals(3 * MINUTE, plan.warmupNs());
        assertEquals(2 * MINUTE, plan.durationNs());
        assertTrue(plan.estimateNs() > 7 * 5 * 15 * 2 * MINUTE);
    }

    @Test
    void aFewCellsAreMeasuredMoreOftenAndLongerThanMany() {
        List<Cell> all = cells(Extent.STANDARD);
        Plan many = Plan.of(all, turnout(ALL), Extent.STANDARD, MeasuringPace.PLANNED);
        Plan few = Plan.of(all.subList(0, 1), turnout(ALL), Extent.STANDARD, MeasuringPace.PLANNED);
        assertTrue(few.durationNs() > many.durationNs());
        assertTrue(few.rounds() >= many.rounds());
    }

    @Test
    void cellsThatNeedTheSameServersAreMeasuredTogether() {
        Plan plan = Plan.of(cells(Extent.STANDARD), turnout(2), Extent.STANDARD, MeasuringPace.PLANNED);
        Map<Needs, List<Cell>> groups = plan.groups();
        groups.forEach((needs, cells) -> cells.forEach(cell -> assertEquals(needs, cell.needs())));
        assertEquals(
                plan.cells(), groups.values().stream().flatMap(List::stream).toList());
    }

    @Test
    void connectionsAreWeighedBeforeThousandsOfOthersHaveCome() {
        Plan plan = Plan.of(cells(Extent.STANDARD), turnout(2), Extent.STANDARD, MeasuringPace.PLANNED);
        List<Cell> echo = plan.groups().get(Needs.ECHO);
        assertTrue(echo.get(0).weighs());
        assertTrue(echo.stream().skip(1).noneMatch(Cell::weighs));
        List<Cell> others = cells(Extent.STANDARD).stream()
                .filter(cell -> cell.needs().equals(Needs.ECHO) && !cell.weighs())
                .toList();
        assertEquals(others, echo.subList(1, echo.size()), "as the user names them");
    }

    @Test
    void onlyWhoServesAProtocolTakesTimeInItsCells() {
        List<Cell> http = cells(Extent.STANDARD).stream()
                .filter(cell -> cell.needs().protocol().isHttp())
                .toList();
        Plan all = Plan.of(http, turnout(ALL), Extent.STANDARD, MeasuringPace.PLANNED);
        // Two of the standard contenders serve no HTTP.
        assertEquals((long) all.rounds() * all.slices() * (ALL - 2), all.sliceCount());
        assertEquals(all.rounds() * (ALL - 2L), all.startCount());
    }

    @Test
    void unmeasurableCellIsLeftOutWithItsReason() {
        List<Cell> all = cells(Extent.STANDARD);
        Cell large = all.get(4);
        Feasible feasible = Feasible.of(all, cell -> cell == large ? "too large" : null);
        assertEquals(Map.of(large.id(), "too large"), feasible.leftOut());
        assertEquals(all.size() - 1, feasible.cells().size());
        assertThrows(IllegalArgumentException.class, () -> Feasible.of(all, cell -> "nothing can be"));
    }

    /** The first of the standard contenders, and the control. */
    private static Turnout turnout(int servers) {
        return Turnout.of(Contenders.standard().subList(0, servers - 1), true);
    }

    private static List<Cell> cells(Extent extent) {
        return new Wishes(extent, List.of(), List.of(), null).cells(Scenarios.of(extent));
    }
}
