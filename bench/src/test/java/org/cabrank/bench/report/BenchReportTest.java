package org.cabrank.bench.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.cabrank.bench.report.RunRecord.Usage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class BenchReportTest {

    @Test
    void aReportIsReadAsItWasWritten(@TempDir Path directory) throws IOException {
        BenchReport report = report(List.of(Runs.good(1, "a", 1_000), Runs.bad(1, "b")));
        Path file = directory.resolve("new/report.json");
        JsonFile.write(report, file);
        assertEquals(report, JsonFile.read(file, BenchReport.class));
        try (Stream<Path> files = Files.list(file.getParent())) {
            assertEquals(List.of(file), files.toList());
        }
    }

    @Test
    void theTableHasARowPerContenderAndTellsOfFailures() {
        String table =
                BenchTable.render(report(List.of(Runs.good(1, "a", 100_000, 990_000_000, 20, 80), Runs.bad(1, "b"))));
        List<String> lines = table.lines().toList();
        assertTrue(lines.get(2).startsWith("a "), table);
        assertTrue(lines.get(2).contains("100,000"), table);
        assertTrue(lines.get(2).contains("1.98"), table);
        assertTrue(lines.get(3).matches("b( +-)+"), table);
        assertTrue(table.contains("b: 1 of 1 runs failed"), table);
        assertFalse(table.contains("busy only"), table);
    }

    @Test
    void whoeverWasLeftOutIsNamedWithTheReasonAndHasNoRow() {
        String table = BenchTable.render(report(List.of(Runs.good(1, "a", 100_000))));
        assertEquals(
                List.of("c is left out: no such kernel here"),
                table.lines().filter(line -> line.startsWith("c ")).toList());
    }

    @Test
    void whatEachRanOnStandsUnderTheTable() {
        String table = BenchTable.render(report(List.of(Runs.good(1, "a", 100_000), Runs.bad(1, "b"))));
        assertTrue(table.contains("They ran on:\n  a  details of a\n     and more\n"), table);
        assertFalse(table.contains("details of b"), table);
    }

    @Test
    void whatTheKernelsThreadsForARingTookIsSystemTimeAndSaid() {
        Usage usage = new Usage(1_000_000, 400_000, 20, 80, 10, 1_000_000);
        String table = BenchTable.render(report(List.of(Runs.good(1, "a", 1_000, usage), Runs.good(1, "b", 1_000))));
        assertTrue(
                table.contains(
                        "a: 0.40 of its sys us are those of the kernel's threads for its ring (iou-sqp, iou-wrk)"),
                table);
        assertFalse(table.contains("b: 0"), table);
        assertTrue(table.lines().toList().get(2).contains("0.20    0.80"), table);
    }

    @Test
    void aServerThatWaitedIsNamed() {
        String table = BenchTable.render(report(List.of(Runs.good(1, "a", 100_000, 600_000_000, 20, 80))));
        assertTrue(table.contains("a was busy only 60 % of the time and the load generator 50 %"), table);
    }

    @Test
    void aServerThatWasMadeToSleepIsNotCalledDisturbed() {
        String table = BenchTable.render(report(List.of(Runs.good(1, "a", 100_000, 600_000_000, 20, 80)), 1));
        assertTrue(table.contains("its threads slept in slow handlers"), table);
        assertFalse(table.contains("quiet"), table);
    }

    private static BenchReport report(List<RunRecord> runs) {
        return report(runs, 0);
    }

    private static BenchReport report(List<RunRecord> runs, int slowPermille) {
        List<ContenderSummary> summary = Stream.of("a", "b")
                .map(name -> ContenderSummary.of(name, "a", runs))
                .toList();
        return new BenchReport(
                BenchReport.FORMAT,
                "2026-01-01T00:00:00Z",
                true,
                List.of("bench"),
                Map.of("cabrank", "1"),
                new BenchReport.Machine("6.1.0", "amd64", "a CPU", "0-1", 1),
                new BenchReport.Jvm("25", "a vendor", "/jdk", List.of()),
                new BenchReport.Cpus("1", "0", false, "Pinned."),
                new BenchReport.Settings(1, 1, 1, 64, 64, 1, slowPermille, 0, 3, 200_000),
                List.of(new BenchReport.ContenderInfo("a", List.of("tuned"), List.of())),
                Map.of("c", "no such kernel here"),
                "a",
                summary,
                runs);
    }
}
