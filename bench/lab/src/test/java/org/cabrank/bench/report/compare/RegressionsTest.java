package org.cabrank.bench.report.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.cabrank.bench.fixture.Once;
import org.cabrank.bench.report.BenchReport;
import org.cabrank.bench.report.BenchReport.Machine;
import org.cabrank.bench.report.ContenderKind;
import org.cabrank.bench.report.ScenarioInfo;
import org.cabrank.bench.report.fixture.MadeUp;
import org.cabrank.bench.report.fixture.MadeUp.Server;
import org.cabrank.bench.report.statistics.LookSchedule;
import org.junit.jupiter.api.Test;

/** The judgement of made-up runs by made-up baselines. */
@Once
final class RegressionsTest {

    private static final List<ScenarioInfo> SCENARIOS = MadeUp.twoCells();
    private static final List<ScenarioInfo> ONE_CELL = SCENARIOS.subList(1, 2);
    private static final Machine MACHINE = report(1, 1, SCENARIOS).machine();

    @Test
    void aRunThatIsAsFastAsItsBaselineHasNoRegression() {
        Regressions regressions = Regressions.of(report(1, 1, SCENARIOS), report(2, 1, SCENARIOS));
        assertEquals(List.of(), regressions.worse(), regressions.words());
        assertTrue(regressions.any());
        assertTrue(regressions.words().endsWith("No regression beyond noise.\n"), regressions.words());
    }

    /** Noise alone must not stop a build: three comparisons in each of 5 pairs of runs, in a soak 30. */
    @Test
    void noiseRaisesAlarmsInFewRuns() {
        int alarms = 0;
        int pairs = Long.getLong("cabrank.soak.seconds") == null ? 5 : 30;
        for (int seed = 1; seed <= pairs; seed++) {
            Regressions regressions = Regressions.of(report(seed, 1, ONE_CELL), report(1_000 + seed, 1, ONE_CELL));
            alarms += regressions.worse().isEmpty() ? 0 : 1;
        }
        assertTrue(alarms <= 1, alarms + " alarms");
    }

    @Test
    void aCellThatIsSlowerBeyondBothNoiseFloorsIsNamed() {
        Regressions regressions = Regressions.of(report(1, 1, SCENARIOS), report(2, 0.85, SCENARIOS));
        assertTrue(
                regressions.words().contains("Regression: ping-pong/64x64B cabrank-epoll-1, requests/s: 0.8"),
                regressions.words());
        assertEquals(
                List.of(),
                Regressions.of(report(2, 0.85, SCENARIOS), report(1, 1, SCENARIOS))
                        .worse());
    }

    @Test
    void aDifferenceBelowTheNoiseIsNone() {
        BenchReport before = made(1, 1).noise(0.15).report(SCENARIOS);
        BenchReport after = made(2, 0.97).noise(0.15).report(SCENARIOS);
        assertEquals(List.of(), Regressions.of(before, after).worse());
    }

    @Test
    void cellsThatTheRunDidNotMeasureAreNamedAndNoRegression() {
        Regressions regressions = Regressions.of(report(1, 1, SCENARIOS), report(2, 1, SCENARIOS.subList(0, 1)));
        assertEquals(List.of("pipelined/64x64Bx16"), regressions.missing());
        assertEquals(List.of(), regressions.worse());
        assertTrue(regressions.words().contains("so not judged: pipelined/64x64Bx16."), regressions.words());
    }

    @Test
    void withoutANoiseFloorNothingIsJudged() {
        BenchReport without =
                new MadeUp(1, cabrank(0.5), baseline()).answersKept(30).report(SCENARIOS);
        Regressions regressions = Regressions.of(without, report(1, 0.2, SCENARIOS));
        assertFalse(regressions.any());
        assertEquals(List.of(), regressions.worse());
        assertTrue(regressions.words().endsWith("Nothing could be judged by the baseline.\n"), regressions.words());
        assertTrue(obstacle(without, MACHINE).orElseThrow().contains("--no-aa"));
    }

    @Test
    void twoRoundsJudgeNothing() {
        BenchReport two = made(1, 1).rounds(2, 5).report(SCENARIOS);
        assertTrue(obstacle(two, MACHINE).orElseThrow().contains("too few rounds to judge by: 2, expected 3 or more"));
        Regressions regressions = Regressions.of(report(1, 1, SCENARIOS), two);
        assertFalse(regressions.any());
        assertTrue(regressions.words().contains("or of 3 rounds: "), regressions.words());
    }

    @Test
    void aBaselineOfAnotherCpuIsRefusedAndAnotherKernelIsNot() {
        BenchReport baseline = report(1, 1, SCENARIOS);
        assertEquals(Optional.empty(), obstacle(baseline, MACHINE));
        assertEquals(Optional.empty(), obstacle(baseline, new Machine("7.1", "amd64", MACHINE.cpuModel(), "0-1", 1)));
        for (Machine other : Stream.of(
                        new Machine("6.18.0", "amd64", "Another CPU", "0-1", 8_000_000),
                        new Machine("6.18.0", "aarch64", MACHINE.cpuModel(), "0-1", 8_000_000),
                        new Machine("6.18.0", "amd64", MACHINE.cpuModel(), "0-63", 8_000_000))
                .toList()) {
            assertTrue(obstacle(baseline, other).orElseThrow().contains("another machine"), other.toString());
        }
    }

    @Test
    void aBaselineWithoutAnyOfTheCellsIsRefused() {
        BenchReport baseline = report(1, 1, SCENARIOS.subList(1, 2));
        String obstacle =
                Regressions.obstacle(baseline, MACHINE, List.of("churn/64x64B")).orElseThrow();
        assertTrue(obstacle.endsWith("it has pipelined/64x64Bx16"), obstacle);
    }

    @Test
    void runsThatStoppedByTheirLooksAreJudgedAlike() {
        BenchReport before =
                made(1, 1).rounds(4, 3).looks(LookSchedule.STANDARD).report(SCENARIOS);
        BenchReport after =
                made(2, 0.8).rounds(6, 3).looks(LookSchedule.STANDARD).report(SCENARIOS);
        assertFalse(Regressions.of(before, after).worse().isEmpty());
        BenchReport equal = made(3, 1).rounds(6, 3).looks(LookSchedule.STANDARD).report(SCENARIOS);
        assertEquals(List.of(), Regressions.of(before, equal).worse());
    }

    private static Optional<String> obstacle(BenchReport baseline, Machine machine) {
        return Regressions.obstacle(baseline, machine, List.of("ping-pong/64x64B"));
    }

    private static BenchReport report(long seed, double speed, List<ScenarioInfo> scenarios) {
        return made(seed, speed).report(scenarios);
    }

    private static MadeUp made(long seed, double speed) {
        return new MadeUp(
                        seed, cabrank(speed), baseline(), new Server(MadeUp.CONTROL, ContenderKind.CONTROL, 1, 0.6, 1))
                .answersKept(30)
                .rounds(6, 2);
    }

    private static Server cabrank(double speed) {
        return new Server("cabrank-epoll-1", ContenderKind.CABRANK, speed, 0.3, 1);
    }

    private static Server baseline() {
        return new Server(MadeUp.BASELINE, ContenderKind.JAVA, 1, 0.6, 1);
    }
}
