package org.cabrank.bench.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.cabrank.bench.contender.Contender;
import org.cabrank.bench.contender.Contenders;
import org.cabrank.bench.contender.LabTls;
import org.cabrank.bench.contender.NettyOpenSsl;
import org.cabrank.bench.fixture.InSoak;
import org.cabrank.bench.fixture.Once;
import org.cabrank.bench.load.LoadTraffic;
import org.cabrank.bench.report.BenchReport;
import org.cabrank.bench.report.RunRecord;
import org.cabrank.bench.scenario.Scenarios;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The scenarios over TLS with real processes, and clients with either engine. */
@InSoak
@Once
@Timeout(300)
final class TlsLabTest {

    private static final int CONNECTIONS = 4;

    /** The storm of the bench, 200 clients, needs a CPU for itself: handshakes that wait too long are given up. */
    private static final int RECONNECTING = 4;

    /** One process serves both cells without HTTP: each start makes the JVM learn to encrypt anew. */
    @Test
    void pingPongAndAStormOfHandshakesBesideStandingConnectionsAreMeasured(@TempDir Path directory) throws Exception {
        LabBench lab = LabBench.of(directory, List.of(Scenarios.TLS, Scenarios.TLS_STORM), List.of(CONNECTIONS))
                .changing(TlsLabTest::withAFewThatReconnect)
                .alone(cell -> true);
        assertTrue(lab.run(1, contender()), lab.text());
        BenchReport report = lab.report();
        assertMeasured(report, Set.of("tls/4x64B", "tls-storm/200+4x64B"));
        assertTrue(report.notes().contains(LabTls.text()), report.notes()::toString);
        assertTrue(report.notes().contains(GeneratorTls.text()), report.notes()::toString);
    }

    private static LoadTraffic withAFewThatReconnect(LoadTraffic traffic) {
        return traffic.reconnecting() == 0 ? traffic : traffic.withReconnecting(RECONNECTING);
    }

    private static Contender contender() {
        return Contenders.named(
                NettyOpenSsl.unavailableReason() == null ? "cabrank-epoll-1-openssl" : "cabrank-epoll-deferred");
    }

    private static void assertMeasured(BenchReport report, Set<String> cells) {
        Set<String> measured = new TreeSet<>();
        for (RunRecord run : report.runs()) {
            if (run.compared()) {
                assertTrue(run.measured().answers() > 0, run::toString);
                assertEquals(Map.of(), run.measured().errors());
                assertTrue(run.measured().latency().p99Ns() > 0, run::toString);
                measured.add(run.cell());
            }
        }
        assertEquals(cells, measured);
        assertTrue(report.complete());
    }
}
