package org.cabrank.bench.experiment;

import static org.cabrank.bench.experiment.Layouts.ONE_BY_TWO;
import static org.cabrank.bench.experiment.Layouts.TWO_BY_ONE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import org.cabrank.bench.fixture.InSoak;
import org.cabrank.bench.fixture.Once;
import org.cabrank.bench.handler.SlowRequests;
import org.cabrank.bench.report.JsonFile;
import org.cabrank.bench.report.RunRecord;
import org.cabrank.bench.run.RunnerSettings;
import org.cabrank.kernel.Kernels;
import org.cabrank.stream.AcceptMode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Once
@Timeout(300)
final class ServerLayoutsTest {

    private static final long MILLISECOND = 1_000_000;

    @TempDir
    private Path directory;

    private final ExperimentOutput output = new ExperimentOutput();

    private ServerLayouts experiment(List<ServerLayout> layouts, RunnerSettings runs) throws IOException {
        return new ServerLayouts(
                new ServerLayouts.Settings(layouts, runs, 0, SlowRequests.NONE, 2 * MILLISECOND, 1),
                output.to(directory.resolve("report.json")),
                Kernels.system());
    }

    private ServerLayouts twoLayouts() throws IOException {
        return experiment(List.of(ONE_BY_TWO, TWO_BY_ONE), new RunnerSettings(3, 1, 1, 64, 64, null, null, 1));
    }

    private static List<VariantRun<ServerLayout, RunRecord>> trials() {
        List<VariantRun<ServerLayout, RunRecord>> trials = new ArrayList<>();
        for (int round = 1; round <= 3; round++) {
            trials.add(Layouts.ran(ONE_BY_TWO, round, 100_000 * round, 700));
            trials.add(Layouts.ran(TWO_BY_ONE, round, 200_000 * round, 900));
        }
        trials.add(Layouts.failed(TWO_BY_ONE, 4));
        return trials;
    }

    @Test
    void theTableHasWhatDiffersAndTheNotesWhatDoesNot() throws IOException {
        String table = ExperimentOutput.table(twoLayouts(), trials());
        List<String> lines = table.lines().toList();
        assertTrue(lines.get(0).startsWith("shards x threads  requests/s"), table);
        assertTrue(
                lines.get(3)
                        .matches(
                                "2x1 +400,000 +200-600k +100 +200 +900 +3\\.75 +0\\.100 +20\\.0 +1\\.25 +1\\.50 +5\\.0 +1 of 2 +3"),
                table);
        assertTrue(table.contains("The same for all: backend epoll, accept dispatch, placement none."), table);
        assertTrue(table.contains("2x1: 1 of 4 runs failed"), table);
        assertTrue(table.contains("2x1 is contended: 0.750 wake-ups"), table);
        assertTrue(table.contains("Recommended for epoll: 2x1, by throughput"), table);
        assertTrue(table.contains(Comparison.RULE), table);
    }

    @Test
    void theReportHasEveryFigureAndEveryTurn() throws IOException {
        Path file = directory.resolve("written.json");
        JsonFile.write(twoLayouts().report(trials(), true), file);
        JsonNode report = new ObjectMapper().readTree(file.toFile());
        assertEquals(7, report.get("trials").size());
        assertEquals(400_000, report.at("/summary/1/figures/throughput/median").asDouble());
        assertEquals(2, report.at("/summary/1/variant/shards").asInt());
        assertEquals("2x1", report.at("/recommendations/0/reason").asText().substring(0, 3));
        assertEquals(64, report.at("/settings/runs/connections").asInt());
    }

    /** With real processes. */
    @InSoak
    @Test
    void everyShardOfALayoutIsMeasured() throws Exception {
        ServerLayout pinned = new ServerLayout("epoll", new Split(2, 1), AcceptMode.DISPATCH, "spread");
        // A busy machine answers nobody for a while.
        RunnerSettings runs = new RunnerSettings(1, MILLISECOND, 1_000 * MILLISECOND, 4, 64, null, null, 1);
        // On a thread of its own: the experiment moves the calling thread away from the server's CPUs.
        FutureTask<Boolean> run =
                new FutureTask<>(() -> experiment(List.of(pinned), runs).run());
        new Thread(run, "bench").start();
        assertTrue(run.get(), output.text());
        JsonNode report =
                new ObjectMapper().readTree(directory.resolve("report.json").toFile());
        assertTrue(report.get("complete").asBoolean());
        assertEquals("spread", report.at("/trials/0/variant/placement").asText());
        JsonNode shards = report.at("/trials/0/result/measured/shards");
        assertEquals(2, shards.size());
        for (JsonNode shard : shards) {
            assertTrue(
                    shard.get("events").asLong() > 0
                            && shard.get("receivedBytes").asLong() > 0
                            && shard.get("connections").asLong() == 2,
                    shards.toString());
        }
        assertTrue(report.at("/trials/0/result/details").asText().contains("placement spread"));
    }
}
