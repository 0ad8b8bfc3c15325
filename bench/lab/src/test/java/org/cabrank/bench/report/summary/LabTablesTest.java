package org.cabrank.bench.report.summary;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.cabrank.bench.load.LoadTraffic;
import org.cabrank.bench.report.BenchReport;
import org.cabrank.bench.report.CellInfo;
import org.cabrank.bench.report.CellSummaries;
import org.cabrank.bench.report.ContenderKind;
import org.cabrank.bench.report.JsonFile;
import org.cabrank.bench.report.RunRecord;
import org.cabrank.bench.report.Runs;
import org.cabrank.bench.report.ScenarioInfo;
import org.cabrank.bench.report.fixture.MadeUp;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class LabTablesTest {

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
    void aScenarioHasARowForEachContenderAndTellsOfFailures() {
        String text = LabTables.render(report(List.of(Runs.good(1, "a", 100_000), Runs.bad(1, "b"))));
        List<String> lines = text.lines().toList();
        assertEquals("ping-pong: What it shows.", lines.get(0));
        assertTrue(lines.get(4).startsWith("64 × 64 B  a "), text);
        assertTrue(lines.get(4).contains("100,000"), text);
        assertTrue(lines.get(4).contains("baseline"), text);
        assertTrue(lines.get(5).matches(" +b.* failed.*"), text);
    }

    @Test
    void ratiosHaveAnIntervalAndAVerdictInWords() {
        List<RunRecord> runs = new ArrayList<>();
        for (int round = 1; round <= 6; round++) {
            runs.add(Runs.good(round, "a", 100_000));
            runs.add(Runs.good(round, "b", 120_000 + round * 1_000));
        }
        String row = LabTables.render(report(runs))
                .lines()
                .filter(line -> line.strip().startsWith("b "))
                .findFirst()
                .orElseThrow();
        assertTrue(row.contains("(1.21–1.26)") && row.contains("better"), row);
    }

    @Test
    void tooFewPairsAreNoVerdict() {
        String text = LabTables.render(report(List.of(Runs.good(1, "a", 100_000), Runs.good(1, "b", 200_000))));
        assertTrue(text.contains("too few pairs"), text);
    }

    @Test
    void whoeverWasLeftOutIsNamedWithTheReasonAndHasNoRow() {
        String text = LabTables.render(report(List.of(Runs.good(1, "a", 100_000))));
        assertEquals(
                List.of("  c: no such kernel here"),
                text.lines()
                        .filter(line -> line.strip().startsWith("c"))
                        .filter(line -> !line.startsWith("cell"))
                        .toList());
    }

    @Test
    void cpusOfEachRunStandBelowTheTables() {
        String text = LabTables.render(report(List.of(Runs.good(1, "a", 100_000), Runs.bad(1, "b"))));
        assertTrue(text.contains("They ran on:\n  a  details of a\n     and more\n"), text);
        assertFalse(text.contains("details of b"), text);
        assertTrue(text.contains("A note.\n"), text);
    }

    private static BenchReport report(List<RunRecord> runs) {
        CellInfo cell = MadeUp.cell(Runs.CELL, "64 × 64 B", LoadTraffic.pingPong(64, 64));
        List<ScenarioInfo> scenarios = List.of(new ScenarioInfo("ping-pong", "What it shows.", List.of(cell)));
        return new BenchReport(
                BenchReport.FORMAT,
                "2026-01-01T00:00:00Z",
                true,
                List.of("bench"),
                Map.of("cabrank", "1"),
                new BenchReport.Machine("6.1.0", "amd64", "a CPU", "0-1", 1),
                new BenchReport.Jvm("25", "a vendor", "/jdk", List.of()),
                new BenchReport.Cpus("1", "0", false, "Pinned."),
                new BenchReport.Settings(1, 1, 1, 1, 1, 0, 3, "none"),
                scenarios,
                List.of(info("a"), info("b"), info("c")),
                Map.of("c", "no such kernel here"),
                List.of("A note."),
                "a",
                null,
                CellSummaries.of(scenarios, List.of("a", "b"), "a", null, runs),
                runs);
    }

    private static BenchReport.ContenderInfo info(String name) {
        return new BenchReport.ContenderInfo(name, ContenderKind.JAVA, List.of("tuned"), List.of());
    }
}
