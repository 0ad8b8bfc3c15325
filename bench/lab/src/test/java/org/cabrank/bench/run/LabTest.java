package org.cabrank.bench.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.cabrank.bench.contender.Contender;
import org.cabrank.bench.contender.Contenders;
import org.cabrank.bench.contender.NativeContender;
import org.cabrank.bench.contender.Protocol;
import org.cabrank.bench.contender.RunningServer;
import org.cabrank.bench.contender.ServerSettings;
import org.cabrank.bench.fixture.InSoak;
import org.cabrank.bench.fixture.Once;
import org.cabrank.bench.report.BenchReport;
import org.cabrank.bench.report.CellResult;
import org.cabrank.bench.report.ContenderResult;
import org.cabrank.bench.report.RunRecord;
import org.cabrank.bench.scenario.Scenarios;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The lab with real processes, where one of the contenders cannot run here, or is not to be trusted. */
@Once
@Timeout(300)
final class LabTest {

    private static final String REASON = "netty-epoll: Netty's epoll transport does not run here: ";
    private static final String PROGRAM = "c-epoll";
    private static final int CONNECTIONS = 4;

    /** One that cannot run here, one in Java and a program that is not are measured together, for whoever asks of them. */
    private static LabBench together;

    private static boolean wentWell;

    private LabBench lab;

    @BeforeAll
    static void measureTogether(@TempDir Path directory) throws Exception {
        together = new LabBench(directory, Scenarios.PING_PONG, List.of(CONNECTIONS), 1);
        wentWell = together.run(
                1,
                new WithoutNativeCode(Contenders.named("netty-epoll")),
                Contenders.named("nio"),
                Contenders.named(PROGRAM));
    }

    @BeforeEach
    void inADirectoryOfItsOwn(@TempDir Path directory) {
        lab = new LabBench(directory, Scenarios.PING_PONG, List.of(2, CONNECTIONS), 1).alone(cell -> true);
    }

    /** Netty without its native code, as on a machine that cannot load it. */
    private record WithoutNativeCode(Contender contender) implements Contender {

        @Override
        public String name() {
            return contender.name();
        }

        @Override
        public List<String> tuning() {
            return contender.tuning();
        }

        @Override
        public List<String> jvmFlags(int feature) {
            List<String> flags = new ArrayList<>(contender.jvmFlags(feature));
            flags.add("-Dio.netty.transport.noNative=true");
            return flags;
        }

        @Override
        public RunningServer start(ServerSettings settings) throws IOException {
            throw new IOException("the bench starts contenders in processes of their own");
        }
    }

    /** A program that goes wrong in the way that {@code how} says. */
    private record Untrustworthy(String name, UntrustworthyServer.How how) implements NativeContender {

        @Override
        public List<String> tuning() {
            return List.of();
        }

        @Override
        public boolean serves(Protocol protocol) {
            return true;
        }

        @Override
        public List<String> command(ServerSettings settings) {
            return LabBench.command(UntrustworthyServer.class, how);
        }
    }

    @Test
    void aContenderThatCannotRunHereIsLeftOutWithAWordAndTheNextOneIsTheBaseline() throws Exception {
        String text = together.text();
        assertTrue(wentWell, text);
        assertEquals(
                1, text.lines().filter(line -> line.strip().startsWith(REASON)).count(), text);
        assertFalse(text.contains("failed"), text);
        BenchReport report = together.report();
        assertTrue(report.complete());
        assertEquals(List.of("netty-epoll"), withoutProgram(report.leftOut().keySet().stream()));
        assertEquals("nio", report.baseline());
        assertEquals("nio-again", report.control());
        for (CellResult cell : report.cells()) {
            assertEquals(
                    List.of("nio", "nio-again"),
                    withoutProgram(cell.contenders().stream().map(ContenderResult::contender)));
        }
    }

    /** Leaves out the C program, whose availability depends on the machine's compiler. */
    private static List<String> withoutProgram(Stream<String> contenders) {
        return contenders.filter(name -> !name.equals(PROGRAM)).toList();
    }

    @Test
    void aBenchThatMeasuredNobodyHasNotGoneWell() throws Exception {
        assertFalse(lab.run(1, new WithoutNativeCode(Contenders.named("netty-epoll"))), lab.text());
        assertTrue(lab.text().contains(REASON), lab.text());
        assertTrue(lab.text().contains("nothing was measured"), lab.text());
        assertFalse(Files.exists(lab.json()));
    }

    @InSoak
    @Test
    void contenderThatFailsIsReportedWithItsLogAndOthersAreMeasured() throws Exception {
        Contender dying = new Untrustworthy("dying", UntrustworthyServer.How.DIES);
        Contender lying = new Untrustworthy("lying", UntrustworthyServer.How.LIES);
        Contender lame = new Untrustworthy("lame", UntrustworthyServer.How.NEVER_LISTENS);
        assertFalse(lab.run(1, Contenders.named("nio"), dying, lying, lame), lab.text());
        List<RunRecord> runs = lab.report().runs();
        assertTrue(lab.report().complete());
        assertEquals(
                2,
                runs.stream()
                        .filter(run -> run.contender().equals("nio") && run.compared())
                        .count(),
                lab.text());
        for (String who : List.of("dying", "lying", "lame")) {
            List<RunRecord> own =
                    runs.stream().filter(run -> run.contender().equals(who)).toList();
            assertEquals(
                    Set.of("ping-pong/2x64B", "ping-pong/4x64B"),
                    own.stream().map(RunRecord::cell).collect(Collectors.toSet()),
                    lab.text());
            assertTrue(own.stream().allMatch(RunRecord::failed), lab.text());
            assertTrue(own.get(0).log().contains(UntrustworthyServer.LAST_WORDS), own.get(0) + lab.text());
        }
        assertTrue(failure(runs, "lying").contains("wrong answer"), failure(runs, "lying"));
        assertTrue(lab.text().contains("    " + UntrustworthyServer.LAST_WORDS), lab.text());
    }

    @Test
    void aProgramThatIsNotJavaIsMeasuredBesideThoseThatAre() throws Exception {
        assertTrue(wentWell, together.text());
        BenchReport report = together.report();
        assumeTrue(
                !report.leftOut().containsKey(PROGRAM), () -> report.leftOut().toString());
        RunRecord run = report.runs().stream()
                .filter(each -> each.contender().equals(PROGRAM))
                .findFirst()
                .orElseThrow();
        assertTrue(run.details().startsWith("epoll"), run.details());
        assertTrue(run.measured().answers() > 0);
        assertEquals(-1, run.measured().serverAllocatedBytes());
        assertNull(run.measured().counts().collections());
    }

    @InSoak
    @Test
    void idleConnectionsAreWeighedOfThoseInAJvmAndOfThoseThatAreNot(@TempDir Path directory) throws Exception {
        assumeTrue(descriptorsMost() >= 9_000, "8,000 connections take as many descriptors");
        LabBench idle = new LabBench(directory, "idle-mass", List.of(CONNECTIONS), 1).alone(cell -> true);
        assertTrue(idle.run(1, Contenders.named("nio"), Contenders.named(PROGRAM)), idle.text());
        BenchReport report = idle.report();
        assertTrue(
                report.notes().stream().anyMatch(note -> note.contains("-XX:NativeMemoryTracking=summary")),
                report.notes().toString());
        for (ContenderResult result : report.cells().get(0).contenders()) {
            Double bytes = result.idleBytesPerConnection();
            if (result.contender().equals(PROGRAM)) {
                assertEquals(0, bytes, 100, "it has a table for all from the start");
            } else {
                assertEquals(700, bytes, 200, "a channel, a key and what belongs to them, of " + result.contender());
            }
        }
    }

    private static long descriptorsMost() throws IOException {
        return Files.readAllLines(Path.of("/proc/self/limits")).stream()
                .filter(line -> line.startsWith("Max open files"))
                .map(line -> line.split(" {2,}")[2])
                .mapToLong(most -> most.equals("unlimited") ? Long.MAX_VALUE : Long.parseLong(most))
                .findFirst()
                .orElseThrow();
    }

    private static String failure(List<RunRecord> runs, String who) {
        return runs.stream()
                .filter(run -> run.contender().equals(who))
                .findFirst()
                .orElseThrow()
                .failure();
    }
}
