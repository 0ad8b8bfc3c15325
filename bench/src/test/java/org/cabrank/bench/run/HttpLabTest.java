package org.cabrank.bench.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.FutureTask;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import org.cabrank.bench.Once;
import org.cabrank.bench.contender.Contender;
import org.cabrank.bench.contender.Contenders;
import org.cabrank.bench.contender.NativeContender;
import org.cabrank.bench.contender.Protocol;
import org.cabrank.bench.contender.ServerSettings;
import org.cabrank.bench.report.BenchReport;
import org.cabrank.bench.report.JsonFile;
import org.cabrank.bench.report.RunRecord;
import org.cabrank.bench.run.UntrustworthyHttpServer.How;
import org.cabrank.bench.scenario.Feasible;
import org.cabrank.bench.scenario.Pace;
import org.cabrank.bench.scenario.Scenario;
import org.cabrank.bench.scenario.Scenarios;
import org.cabrank.bench.scenario.Wishes;
import org.cabrank.bench.scenario.Wishes.Extent;
import org.cabrank.kernel.Kernels;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The lab with wrk and real servers, some of which are not to be trusted. */
@Once
@Timeout(300)
final class HttpLabTest {

    private static final long MILLISECOND = 1_000_000;
    private static final long DURATION_NS = 300 * MILLISECOND;
    private static final int CONNECTIONS = 5;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    @TempDir
    Path directory;

    @BeforeAll
    static void onlyWithWrk() {
        assumeTrue(Wrk.obstacle() == null, Wrk::obstacle);
    }

    /** A program that goes wrong in the way that {@code how} says. */
    private record Untrustworthy(How how) implements NativeContender {

        @Override
        public String name() {
            return how.name();
        }

        @Override
        public List<String> tuning() {
            return List.of();
        }

        @Override
        public boolean serves(Protocol protocol) {
            return protocol == Protocol.HTTP;
        }

        @Override
        public List<String> command(ServerSettings settings) {
            return List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-cp",
                    System.getProperty("java.class.path"),
                    UntrustworthyHttpServer.class.getName(),
                    how.name());
        }
    }

    @Test
    void serversAreMeasuredByWrkAsByTheOwnLoadAndWhoDoesNotServeHttpIsNot() throws Exception {
        assertTrue(
                run(Contenders.named("cabrank-epoll-1"), Contenders.named("nio"), Contenders.named("hshr-epoll")),
                text());
        BenchReport report = report();
        assertTrue(report.complete());
        List<RunRecord> compared =
                report.runs().stream().filter(RunRecord::compared).toList();
        for (String who : List.of("cabrank-epoll-1", "cabrank-epoll-1-again", "nio")) {
            List<RunRecord> own =
                    compared.stream().filter(run -> run.contender().equals(who)).toList();
            assertEquals(2, own.size(), text());
            for (RunRecord run : own) {
                assertEquals("http/" + CONNECTIONS, run.cell());
                assertRight(run.measured());
            }
        }
        assertEquals(6, compared.size());
    }

    private static void assertRight(RunRecord.Measured measured) throws Exception {
        assertTrue(measured.answers() > 0);
        assertTrue(measured.elapsedNs() >= DURATION_NS, measured.elapsedNs() + " ns");
        assertEquals(Map.of(), measured.errors());
        Histogram latencies = Histogram.decodeFromCompressedByteBuffer(
                ByteBuffer.wrap(Base64.getDecoder().decode(measured.histogram())), 1);
        // Some more where a slow answer held others back.
        assertTrue(latencies.getTotalCount() >= measured.answers(), latencies.getTotalCount() + " latencies");
        assertEquals(latencies.getValueAtPercentile(99), measured.latency().p99Ns());
        assertTrue(measured.latency().p50Ns() > 0);
        assertTrue(measured.server().cpuNs() > 0);
        assertTrue(measured.load().cpuNs() > 0 && measured.load().cpusBusy() <= 2, measured.load() + "");
        assertTrue(measured.serverAllocatedBytes() >= 0);
        assertTrue(measured.counts().collections() >= 0);
    }

    @Test
    void whoAnswersWrongFailsWithWordsAndTheOthersAreMeasuredToTheEnd() throws Exception {
        Stream<Contender> wrong = Stream.of(How.values()).map(Untrustworthy::new);
        assertFalse(run(Stream.concat(Stream.of(Contenders.named("nio")), wrong).toArray(Contender[]::new)), text());
        assertTrue(report().complete());
        assertEquals(
                4,
                report().runs().stream()
                        .filter(run -> run.contender().startsWith("nio") && run.compared())
                        .count(),
                text());
        assertTrue(failure(How.ERROR).contains("answers with an error's status ("), failure(How.ERROR));
        assertTrue(failure(How.ELSEWHERE).contains("answers of another length"), failure(How.ELSEWHERE));
        assertTrue(failure(How.SHORT).contains("answers of another length"), failure(How.SHORT));
        assertTrue(failure(How.BROKEN).contains("while an answer was awaited ("), failure(How.BROKEN));
        assertTrue(failure(How.ERROR_AT_ONCE).contains("'HTTP/1.1 500 No', expected 200"), failure(How.ERROR_AT_ONCE));
    }

    /** The first that is told: it is out of it from then on. */
    private String failure(How how) throws IOException {
        List<RunRecord> own = report().runs().stream()
                .filter(run -> run.contender().equals(how.name()))
                .toList();
        assertTrue(!own.isEmpty() && own.stream().allMatch(RunRecord::failed), own + text());
        return own.get(0).failure();
    }

    /** On a thread of its own: the bench moves the calling thread away from the server's CPUs. */
    private boolean run(Contender... contenders) throws Exception {
        List<Scenario> scenarios = Scenarios.named(List.of(Scenarios.HTTP));
        LabSettings settings = new LabSettings(
                List.of(contenders),
                true,
                scenarios,
                Feasible.of(
                        new Wishes(Extent.STANDARD, List.of(CONNECTIONS), List.of(), null).cells(scenarios),
                        cell -> null),
                Extent.STANDARD,
                new Pace(1, 2, 10 * MILLISECOND, DURATION_NS),
                ServerSettings.DEFAULT,
                null,
                null,
                2,
                directory.resolve("report.html"));
        PrintStream print = new PrintStream(out, true, StandardCharsets.UTF_8);
        Experiment.Output output = new Experiment.Output(List.of("bench"), json(), print, print);
        FutureTask<Boolean> run = new FutureTask<>(() -> new Lab(settings, output, Kernels.system()).run());
        Thread thread = new Thread(run, "bench");
        thread.start();
        return run.get();
    }

    private BenchReport report() throws IOException {
        return JsonFile.read(json(), BenchReport.class);
    }

    private Path json() {
        return directory.resolve("report.json");
    }

    private String text() {
        return out.toString(StandardCharsets.UTF_8);
    }
}
