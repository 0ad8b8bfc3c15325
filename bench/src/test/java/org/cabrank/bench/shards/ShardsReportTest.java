package org.cabrank.bench.shards;

import static org.cabrank.bench.shards.Layouts.ONE_BY_TWO;
import static org.cabrank.bench.shards.Layouts.TWO_BY_ONE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.cabrank.bench.report.BenchReport;
import org.cabrank.bench.report.JsonFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ShardsReportTest {

    private static final List<Arrangement> ALL = List.of(ONE_BY_TWO, TWO_BY_ONE);

    private static ShardsReport report() {
        List<ShardsRun> runs = new ArrayList<>();
        for (int round = 1; round <= 3; round++) {
            runs.add(Layouts.ran(ONE_BY_TWO, round, 100_000 * round, 700));
            runs.add(Layouts.ran(TWO_BY_ONE, round, 200_000 * round, 900));
        }
        runs.add(Layouts.failed(TWO_BY_ONE, 4));
        return new ShardsReport(
                ShardsReport.FORMAT,
                "2026-01-01T00:00:00Z",
                true,
                List.of("bench", "scaling"),
                Map.of("cabrank", "1"),
                new BenchReport.Machine("6.1.0", "amd64", "a CPU", "0-1", 1),
                new BenchReport.Jvm("25", "a vendor", "/jdk", List.of()),
                new BenchReport.Cpus("0-1", "0-1", true, "They share."),
                new ShardsReport.Settings(3, 1, 1, 64, 64, 2, 0, 0, 0, 2_000_000),
                new TreeMap<>(Map.of("iouring", "the kernel refuses it")),
                Recommendation.RULE,
                ALL.stream()
                        .map(arrangement -> ArrangementSummary.of(arrangement, runs))
                        .toList(),
                List.of(Recommendation.of("epoll", ALL, runs, new Naming(ALL)::name)),
                runs);
    }

    @Test
    void theTableHasWhatDiffersAndTheNotesWhatDoesNot() {
        String table = ShardsTable.render(report());
        List<String> lines = table.lines().toList();
        assertTrue(lines.get(0).startsWith("shards x threads  requests/s"), table);
        assertTrue(
                lines.get(3)
                        .matches(
                                "2x1 +400,000 +200-600k +100 +200 +900 +3\\.75 +0\\.100 +20\\.0 +1\\.25 +1\\.50 +5\\.0 +1 of 2 +3"),
                table);
        assertTrue(table.contains("The same for all: backend epoll, accept dispatch, placement none."), table);
        assertTrue(table.contains("iouring is left out: the kernel refuses it"), table);
        assertTrue(table.contains("2x1: 1 of 4 runs failed"), table);
        assertTrue(table.contains("2x1 is contended: 0.750 wake-ups"), table);
        assertTrue(table.contains("Recommended for epoll: 2x1, by throughput"), table);
    }

    @Test
    void aReportIsReadAsItWasWritten(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("report.json");
        JsonFile.write(report(), file);
        assertEquals(report(), JsonFile.read(file, ShardsReport.class));
    }
}
