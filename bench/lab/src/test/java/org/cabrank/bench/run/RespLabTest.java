package org.cabrank.bench.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.cabrank.bench.contender.Contenders;
import org.cabrank.bench.fixture.InSoak;
import org.cabrank.bench.fixture.Once;
import org.cabrank.bench.report.BenchReport;
import org.cabrank.bench.report.RunRecord;
import org.cabrank.bench.scenario.Scenarios;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The lab with redis-benchmark and a real server. */
@InSoak
@Once
@Timeout(300)
final class RespLabTest {
    private static final String PIPELINE = "resp/get-4x16";
    private static final String BESIDE_SLEEP = "resp/get-beside-sleep-4";

    /** The client that has the handler sleep for 100 ms again and again. */
    private static final long SLEEP_NS = 100_000_000;

    @BeforeAll
    static void onlyWithRedisBenchmark() {
        assumeTrue(RedisBenchmark.obstacle() == null, RedisBenchmark::obstacle);
    }

    @Test
    void aServerWithSeveralThreadsIsMeasuredWithAndWithoutAHandlerThatSleeps(@TempDir Path directory) throws Exception {
        LabBench lab = new LabBench(directory, Scenarios.RESP, List.of(4), 1)
                .alone(cell -> Set.of(PIPELINE, BESIDE_SLEEP).contains(cell.id()));
        assertTrue(lab.run(1, Contenders.named("cabrank-epoll-deferred")), lab.text());
        BenchReport report = lab.report();
        assertEquals(RedisBenchmark.version().orElseThrow(), report.versions().get("redis-benchmark"));
        for (String cell : List.of(PIPELINE, BESIDE_SLEEP)) {
            List<RunRecord> runs = report.runs().stream()
                    .filter(run -> run.compared() && run.cell().equals(cell))
                    .toList();
            assertEquals(1, runs.size(), lab.text());
            assertRight(runs.get(0).measured());
        }
    }

    private static void assertRight(RunRecord.Measured measured) {
        assertEquals(Map.of(), measured.errors());
        assertTrue(measured.answers() > 0 && measured.elapsedNs() > 0, measured + "");
        assertTrue(measured.latency().p50Ns() > 0, measured + "");
        // One of four threads sleeps, so most requests are answered at once.
        assertTrue(measured.latency().p50Ns() < SLEEP_NS, measured + "");
        assertTrue(measured.server().cpuNs() > 0, measured + "");
        assertTrue(measured.load().cpuNs() >= 0 && measured.load().cpusBusy() <= 2, measured + "");
    }
}
