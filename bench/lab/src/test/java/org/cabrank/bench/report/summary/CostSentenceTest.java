package org.cabrank.bench.report.summary;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Optional;
import org.cabrank.bench.report.BenchReport;
import org.cabrank.bench.report.ContenderKind;
import org.cabrank.bench.report.fixture.MadeUp;
import org.cabrank.bench.report.fixture.MadeUp.Server;
import org.junit.jupiter.api.Test;

final class CostSentenceTest {

    private static final Server OWN = new Server("cabrank-epoll-1", ContenderKind.CABRANK, 1.3, 0.22, 1);
    private static final Server EAGER = new Server("cabrank-epoll-eager", ContenderKind.CABRANK, 1, 0.45, 4);
    private static final Server NIO = new Server("nio", ContenderKind.JAVA, 1.2, 0.31, 1);
    private static final Server NETTY = new Server(MadeUp.BASELINE, ContenderKind.JAVA, 1, 0.62, 1);

    @Test
    void theLeanestModeIsComparedWithTheBaseline() {
        String words = text(MadeUp.BASELINE, OWN, EAGER, NIO, NETTY).orElseThrow();
        assertTrue(words.matches(".*: cabrank-epoll-1 .*; netty-epoll .*"), words);
    }

    @Test
    void leanestPeerReplacesABaselineOfCabrank() {
        for (Server baseline : new Server[] {OWN, EAGER}) {
            String words = text(baseline.name(), OWN, EAGER, NIO, NETTY).orElseThrow();
            assertTrue(words.matches(".*: cabrank-epoll-1 .*; nio .*"), words);
        }
    }

    @Test
    void withoutAPeerThereIsNothingToCompare() {
        assertEquals(Optional.empty(), text(OWN.name(), OWN, EAGER));
    }

    private static Optional<String> text(String baseline, Server... servers) {
        return CostSentence.of(withBaseline(
                new MadeUp(1, servers)
                        .rounds(1, 2)
                        .answersKept(20)
                        .report(MadeUp.scenarios().subList(0, 1)),
                baseline));
    }

    private static BenchReport withBaseline(BenchReport report, String baseline) {
        return new BenchReport(
                report.format(),
                report.startedAt(),
                report.complete(),
                report.arguments(),
                report.versions(),
                report.machine(),
                report.jvm(),
                report.cpus(),
                report.settings(),
                report.scenarios(),
                report.contenders(),
                report.leftOut(),
                report.notes(),
                baseline,
                report.control(),
                report.cells(),
                report.runs());
    }
}
