package org.cabrank.bench.shards;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.FutureTask;
import org.cabrank.bench.Once;
import org.cabrank.bench.report.JsonFile;
import org.cabrank.bench.report.ShardLoad;
import org.cabrank.bench.run.Experiment;
import org.cabrank.bench.run.RunnerSettings;
import org.cabrank.bench.serve.SlowRequests;
import org.cabrank.kernel.Kernels;
import org.cabrank.stream.AcceptMode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** With real processes. */
@Once
@Timeout(180)
final class ShardsBenchTest {

    private static final long MILLISECOND = 1_000_000;

    @Test
    void everyShardOfAnArrangementIsMeasured(@TempDir Path directory) throws Exception {
        Arrangement pinned = new Arrangement("epoll", new Split(2, 1), AcceptMode.DISPATCH, "spread");
        // A busy machine answers nobody for a while.
        RunnerSettings runs = new RunnerSettings(1, MILLISECOND, 1_000 * MILLISECOND, 4, 64, null, null, 1);
        ShardsSettings settings = new ShardsSettings(List.of(pinned), runs, 0, SlowRequests.NONE, 2 * MILLISECOND, 1);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        PrintStream print = new PrintStream(out, true, StandardCharsets.UTF_8);
        Path json = directory.resolve("report.json");
        Experiment.Output output = new Experiment.Output(List.of("bench", "accept"), json, print, print);
        // On a thread of its own: the bench moves the calling thread away from the server's CPUs.
        FutureTask<Boolean> run = new FutureTask<>(() -> new ShardsBench(settings, output, Kernels.system()).run());
        new Thread(run, "bench").start();
        assertTrue(run.get(), out.toString(StandardCharsets.UTF_8));
        ShardsReport report = JsonFile.read(json, ShardsReport.class);
        assertTrue(report.complete());
        assertEquals(pinned, report.runs().get(0).arrangement());
        List<ShardLoad> shards = report.runs().get(0).run().measured().shards();
        assertEquals(2, shards.size());
        assertTrue(
                shards.stream()
                        .allMatch(shard -> shard.events() > 0 && shard.receivedBytes() > 0 && shard.connections() == 2),
                shards.toString());
        assertTrue(report.runs().get(0).run().details().contains("placement spread"));
    }
}
