package org.cabrank.bench.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import org.cabrank.bench.contender.Contender;
import org.cabrank.bench.contender.Contenders;
import org.cabrank.bench.contender.NativeContender;
import org.cabrank.bench.contender.Protocol;
import org.cabrank.bench.contender.ServerSettings;
import org.cabrank.bench.fixture.InSoak;
import org.cabrank.bench.fixture.Once;
import org.cabrank.bench.report.BenchReport;
import org.cabrank.bench.report.RunRecord;
import org.cabrank.bench.run.UntrustworthyHttpServer.How;
import org.cabrank.bench.scenario.Scenarios;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The lab over HTTP and real servers, some of which are not to be trusted. */
@Once
@Timeout(300)
final class HttpLabTest {

    private static final int CONNECTIONS = 5;

    private LabBench lab;

    @BeforeEach
    void inADirectoryOfItsOwn(@TempDir Path directory) {
        lab = new LabBench(directory, Scenarios.HTTP, List.of(CONNECTIONS), 2);
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
            return LabBench.command(UntrustworthyHttpServer.class, how);
        }
    }

    @Test
    void aServerIsMeasuredAndWhoDoesNotServeHttpIsNot() throws Exception {
        assertTrue(lab.alone(cell -> true).run(1, Contenders.named("nio"), Contenders.named("c-epoll")), lab.text());
        BenchReport report = lab.report();
        assertTrue(report.complete());
        List<RunRecord> compared =
                report.runs().stream().filter(RunRecord::compared).toList();
        assertEquals(1, compared.size(), lab.text());
        assertEquals("nio", compared.get(0).contender());
        assertEquals("http/" + CONNECTIONS, compared.get(0).cell());
        assertRight(compared.get(0).measured());
    }

    @InSoak
    @Test
    void theOwnLoadTellsFastRequestsFromAll(@TempDir Path directory) throws Exception {
        LabBench own = new LabBench(directory, Scenarios.HTTP_SERVER, List.of(CONNECTIONS), 1)
                .alone(cell -> cell.slow().permille() > 0);
        assertTrue(own.run(1, Contenders.named("cabrank-epoll-deferred")), own.text());
        RunRecord run = own.report().runs().stream()
                .filter(RunRecord::compared)
                .findFirst()
                .orElseThrow();
        assertEquals("http-server/10permille-10ms-" + CONNECTIONS, run.cell());
        long all = count(run.measured().histogram());
        long fast = count(run.measured().fast().histogram());
        assertTrue(fast > 0 && fast <= all, fast + " of " + all);
        assertTrue(own.text().contains("fast p99"), own.text());
    }

    private static long count(String histogram) throws Exception {
        return Histogram.decodeFromCompressedByteBuffer(
                        ByteBuffer.wrap(Base64.getDecoder().decode(histogram)), 1)
                .getTotalCount();
    }

    private static void assertRight(RunRecord.Measured measured) throws Exception {
        assertTrue(measured.answers() > 0);
        assertTrue(measured.server().elapsedNs() >= LabBench.DURATION_NS, measured.server() + "");
        assertTrue(measured.elapsedNs() >= LabBench.DURATION_NS / 2, measured.elapsedNs() + " ns");
        assertEquals(Map.of(), measured.errors());
        Histogram latencies = Histogram.decodeFromCompressedByteBuffer(
                ByteBuffer.wrap(Base64.getDecoder().decode(measured.histogram())), 1);
        assertTrue(latencies.getTotalCount() > 0, "no latencies");
        assertEquals(latencies.getValueAtPercentile(99), measured.latency().p99Ns());
        assertTrue(measured.latency().p50Ns() > 0);
        assertTrue(measured.server().cpuNs() > 0);
        assertTrue(
                measured.load().cpuNs() > 0
                        && measured.load().cpuNs() <= 2 * measured.load().elapsedNs(),
                measured.load() + "");
        assertTrue(measured.serverAllocatedBytes() >= 0);
        assertTrue(measured.counts().collections() >= 0);
    }

    @InSoak
    @Test
    void contenderWithWrongAnswersFailsAndOthersAreMeasured() throws Exception {
        Stream<Contender> wrong = Stream.of(How.values()).map(Untrustworthy::new);
        assertFalse(
                lab.alone(cell -> true)
                        .run(
                                1,
                                Stream.concat(Stream.of(Contenders.named("nio")), wrong)
                                        .toArray(Contender[]::new)),
                lab.text());
        assertTrue(lab.report().complete());
        assertEquals(
                1,
                lab.report().runs().stream()
                        .filter(run -> run.contender().startsWith("nio") && run.compared())
                        .count(),
                lab.text());
        assertTrue(failure(How.ERROR).contains("answers with an error's status ("), failure(How.ERROR));
        assertTrue(failure(How.ELSEWHERE).contains("answers of another length"), failure(How.ELSEWHERE));
        assertTrue(failure(How.SHORT).contains("answers of another length"), failure(How.SHORT));
        assertTrue(failure(How.BROKEN).contains("while an answer was awaited ("), failure(How.BROKEN));
        assertTrue(failure(How.ERROR_AT_ONCE).contains("'HTTP/1.1 500 No', expected 200"), failure(How.ERROR_AT_ONCE));
    }

    /** The first reported failure; the contender takes no further part. */
    private String failure(How how) throws IOException {
        List<RunRecord> own = lab.report().runs().stream()
                .filter(run -> run.contender().equals(how.name()))
                .toList();
        assertTrue(!own.isEmpty() && own.stream().allMatch(RunRecord::failed), own + lab.text());
        return own.get(0).failure();
    }
}
