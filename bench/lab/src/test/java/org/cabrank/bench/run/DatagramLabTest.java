package org.cabrank.bench.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.cabrank.bench.contender.Contenders;
import org.cabrank.bench.contender.Protocol;
import org.cabrank.bench.fixture.Once;
import org.cabrank.bench.report.BenchReport;
import org.cabrank.bench.report.CellInfo;
import org.cabrank.bench.report.ContenderResult;
import org.cabrank.bench.report.RunRecord;
import org.cabrank.bench.scenario.DatagramCells;
import org.cabrank.bench.scenario.Scenarios;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The lab with datagrams, and real processes. */
@Once
@Timeout(300)
final class DatagramLabTest {

    @Test
    void datagramsAreMeasuredInAClosedLoopAndAtARate(@TempDir Path directory) throws Exception {
        LabBench lab = LabBench.of(
                        directory, Scenarios.DATAGRAMS, DatagramCells.of(List.of(64), List.of(2), List.of(50)))
                .alone(cell -> cell.needs().protocol() == Protocol.DATAGRAMS);
        assertTrue(lab.run(1, Contenders.named("cabrank-epoll-1")), lab::text);
        BenchReport report = lab.report();
        List<CellInfo> cells = report.scenarios().get(0).cells();
        assertEquals(
                List.of("datagrams/2x16x64B", "datagrams/50%-2x64B"),
                cells.stream().map(CellInfo::id).toList());
        for (CellInfo cell : cells) {
            List<ContenderResult> results = report.cell(cell.id()).orElseThrow().contenders();
            assertEquals(1, results.size(), lab::text);
            for (ContenderResult result : results) {
                assertTrue(result.datagrams().sent() > 0, result::toString);
                assertTrue(result.lostPercent() >= 0 && result.lostPercent() <= 100, result::toString);
                assertNotNull(result.latency(), result::toString);
            }
        }
        for (RunRecord run : report.runs()) {
            assertTrue(run.measured().answers() > 0, run::toString);
        }
        assertTrue( // a slice of a rated cell may use less than a tick
                report.runs().stream().anyMatch(run -> run.measured().server().cpuNs() > 0), report.runs()::toString);
        assertTrue(cells.get(1).ratePerSecond() > 0, cells::toString);
        assertTrue(lab.text().contains("datagrams/s"), lab::text);
        assertTrue(lab.text().contains("lost %"), lab::text);
        assertTrue(Files.readString(lab.json().resolveSibling("report.html")).contains("lost %"));
    }
}
