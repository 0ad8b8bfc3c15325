package org.cabrank.bench.report.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.cabrank.bench.fixture.Once;
import org.cabrank.bench.report.BenchReport;
import org.cabrank.bench.report.ContenderKind;
import org.cabrank.bench.report.Metric;
import org.cabrank.bench.report.ScenarioInfo;
import org.cabrank.bench.report.fixture.MadeUp;
import org.cabrank.bench.report.fixture.MadeUp.Server;
import org.cabrank.bench.report.statistics.Verdict;
import org.junit.jupiter.api.Test;

@Once
final class BeforeAfterTest {

    private static final List<ScenarioInfo> SCENARIOS = MadeUp.twoCells();

    private static boolean regressed(BeforeAfter both) {
        return both.changes().stream().anyMatch(Change::regression);
    }

    @Test
    void theSameServersShowNoDifference() {
        BeforeAfter both = BeforeAfter.of(report(1, 1.0, 1.0), report(2, 1.0, 1.0));
        assertFalse(regressed(both), ChangesTable.render(both));
        assertEquals(List.of(), both.differences());
        assertTrue(ChangesTable.render(both).contains("no difference seen"));
    }

    @Test
    void tenPercentLessAreARegressionAndTenPercentMoreAreNot() {
        BeforeAfter worse = BeforeAfter.of(report(1, 1.0, 1.0), report(2, 1.0, 0.9));
        assertTrue(regressed(worse), ChangesTable.render(worse));
        assertTrue(
                ChangesTable.render(worse).contains("Cabrank became slower: requests/s of cabrank-epoll-1 in "),
                ChangesTable.render(worse));
        BeforeAfter better = BeforeAfter.of(report(1, 1.0, 1.0), report(2, 1.0, 1.1));
        assertFalse(regressed(better));
        assertTrue(
                ChangesTable.render(better).contains("Cabrank did not become slower (0 worse, "),
                ChangesTable.render(better));
    }

    /** A machine with a bad day is slower for all alike. */
    @Test
    void machineNoiseIsNoRegression() {
        BeforeAfter both = BeforeAfter.of(report(1, 1.0, 1.0), report(2, 0.7, 0.7));
        assertFalse(regressed(both), ChangesTable.render(both));
        Change baseline = both.changes().stream()
                .filter(change ->
                        change.contender().equals(MadeUp.BASELINE) && change.metric() == Metric.REQUESTS_PER_SECOND)
                .findFirst()
                .orElseThrow();
        assertFalse(baseline.relative());
        assertEquals(0.7, baseline.factor().median(), 0.1);
    }

    @Test
    void aPeerThatBecameSlowerIsSaidAndIsNoRegression() {
        MadeUp slower = new MadeUp(2, server("nio", ContenderKind.JAVA, 0.8), baseline(1), control(1)).rounds(6, 2);
        MadeUp before = new MadeUp(1, server("nio", ContenderKind.JAVA, 1), baseline(1), control(1)).rounds(6, 2);
        BeforeAfter both = BeforeAfter.of(
                before.answersKept(50).report(SCENARIOS), slower.answersKept(50).report(SCENARIOS));
        assertTrue(both.changes().stream()
                .anyMatch(change -> change.contender().equals("nio") && change.verdict() == Verdict.WORSE));
        assertFalse(regressed(both));
    }

    @Test
    void anotherMachineAndOtherSettingsAreSaidInWords() {
        BenchReport before = report(1, 1, 1);
        BenchReport after = new BenchReport(
                before.format(),
                before.startedAt(),
                false,
                before.arguments(),
                before.versions(),
                new BenchReport.Machine("7.0.0", "amd64", "Another CPU", "0-1", 8_000_000),
                before.jvm(),
                before.cpus(),
                new BenchReport.Settings(9, 3, 500_000_000, 1_000_000_000, 1, 0, 0, "none"),
                before.scenarios(),
                before.contenders(),
                before.leftOut(),
                before.notes(),
                "nio",
                before.control(),
                before.cells().subList(0, 1),
                before.runs());
        String words = String.join("\n", BeforeAfter.of(before, after).differences());
        assertTrue(words.contains("Different machine: Machine[kernelRelease=6.18.0, "), words);
        assertTrue(words.contains("Different settings: Settings[rounds=6, "), words);
        assertTrue(words.contains("Different baseline: netty-epoll before, nio after."), words);
        assertTrue(
                words.contains("Measured only before, and not compared: pipelined/64x64Bx16 cabrank-epoll-1, "), words);
        assertTrue(words.contains("The run after was ended early."), words);
        assertTrue(BeforeAfter.of(before, after)
                .incomparableReason()
                .orElseThrow()
                .startsWith("they are of different machines"));
    }

    @Test
    void reportsWithoutCommonCellsAreNotCompared() {
        BenchReport one = new MadeUp(1, baseline(1))
                .answersKept(50)
                .report(MadeUp.twoCells().subList(0, 1));
        BenchReport other = new MadeUp(1, baseline(1))
                .answersKept(50)
                .report(MadeUp.twoCells().subList(1, 2));
        assertTrue(BeforeAfter.of(one, other)
                .incomparableReason()
                .orElseThrow()
                .contains("no contender in a cell in common"));
    }

    private static BenchReport report(long seed, double machine, double cabrank) {
        return new MadeUp(
                        seed,
                        server("cabrank-epoll-1", ContenderKind.CABRANK, cabrank),
                        server("nio", ContenderKind.JAVA, machine),
                        baseline(machine),
                        control(machine))
                .answersKept(50)
                .rounds(6, 2)
                .report(SCENARIOS);
    }

    private static Server baseline(double speed) {
        return server(MadeUp.BASELINE, ContenderKind.JAVA, speed);
    }

    private static Server control(double speed) {
        return server(MadeUp.CONTROL, ContenderKind.CONTROL, speed);
    }

    private static Server server(String name, ContenderKind kind, double speed) {
        return new Server(name, kind, speed, 0.6, 1);
    }
}
