package org.cabrank.bench.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.cabrank.bench.contender.Contender;
import org.cabrank.bench.contender.Contenders;
import org.cabrank.bench.contender.LabTls;
import org.cabrank.bench.contender.NettyOpenSsl;
import org.cabrank.bench.fixture.Once;
import org.cabrank.bench.report.BenchReport;
import org.cabrank.bench.report.RunRecord;
import org.cabrank.bench.scenario.Scenarios;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The scenarios over TLS with real processes, and clients with either engine. */
@Once
@Timeout(300)
final class TlsLabTest {

    private static final int CONNECTIONS = 4;

    @Test
    void pingPongAndHttpsAreMeasured(@TempDir Path directory) throws Exception {
        assumeTrue(Wrk.obstacle() == null, Wrk::obstacle);
        LabBench lab = new LabBench(directory, Scenarios.TLS, List.of(CONNECTIONS), 1).alone(cell -> true);
        assertTrue(lab.run(1, contenders()), lab.text());
        assertMeasured(lab.report(), Set.of("tls/4x64B", "tls/https-4"));
    }

    @Test
    void aStormOfHandshakesIsMeasuredBesideStandingConnections(@TempDir Path directory) throws Exception {
        LabBench lab = new LabBench(directory, Scenarios.TLS_STORM, List.of(CONNECTIONS), 1).alone(cell -> true);
        assertTrue(lab.run(1, Contenders.named("cabrank-epoll-deferred")), lab.text());
        BenchReport report = lab.report();
        assertMeasured(report, Set.of("tls-storm/200+4x64B"));
        assertTrue(report.notes().contains(LabTls.words()), report.notes()::toString);
        assertTrue(report.notes().contains(GeneratorTls.words()), report.notes()::toString);
    }

    private static Contender[] contenders() {
        List<String> names = NettyOpenSsl.obstacle() == null
                ? List.of("cabrank-epoll-1-openssl", "netty-epoll-openssl")
                : List.of("cabrank-epoll-deferred", "netty-epoll");
        return Contenders.named(names).toArray(Contender[]::new);
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
