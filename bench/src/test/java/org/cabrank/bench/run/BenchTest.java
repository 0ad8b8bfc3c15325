package org.cabrank.bench.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import org.cabrank.bench.contender.Contender;
import org.cabrank.bench.contender.Contenders;
import org.cabrank.bench.contender.RunningServer;
import org.cabrank.bench.contender.ServerSettings;
import org.cabrank.bench.report.BenchReport;
import org.cabrank.bench.report.ContenderSummary;
import org.cabrank.bench.report.JsonFile;
import org.cabrank.kernel.Kernels;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The bench with real processes, where one of the contenders finds that it cannot run here. */
@Timeout(60)
final class BenchTest {

    private static final String REASON = "netty-epoll is left out: Netty's epoll transport does not run here: ";
    private static final long MILLISECOND = 1_000_000;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    @TempDir
    Path directory;

    /** Netty is told to do without its native code, as if the machine could not load it. */
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

    @Test
    void aContenderThatCannotRunHereIsLeftOutWithAWordAndTheOthersAreMeasured() throws Exception {
        assertTrue(run(new WithoutNativeCode(Contenders.named("netty-epoll")), Contenders.named("nio")), text());
        assertEquals(1, text().lines().filter(line -> line.startsWith(REASON)).count(), text());
        assertFalse(text().contains("failed"), text());
        BenchReport report = JsonFile.read(json(), BenchReport.class);
        assertTrue(report.complete());
        assertEquals(List.of("netty-epoll"), List.copyOf(report.leftOut().keySet()));
        assertEquals("nio", report.baseline());
        assertEquals(
                List.of("nio"),
                report.summary().stream().map(ContenderSummary::contender).toList());
        assertEquals(2, report.summary().get(0).rounds());
    }

    @Test
    void aBenchThatMeasuredNobodyHasNotGoneWell() throws Exception {
        assertFalse(run(new WithoutNativeCode(Contenders.named("netty-epoll"))), text());
        assertTrue(text().contains(REASON), text());
        assertTrue(text().contains("nothing was measured"), text());
        assertFalse(Files.exists(json()));
    }

    /** On a thread of its own: the bench moves the calling thread away from the server's CPUs. */
    private boolean run(Contender... contenders) throws Exception {
        BenchSettings settings = new BenchSettings(
                List.of(contenders),
                2,
                MILLISECOND,
                MILLISECOND,
                1_000 * MILLISECOND, // a busy machine answers nobody for a while
                4,
                64,
                ServerSettings.DEFAULT,
                null,
                null,
                1);
        PrintStream print = new PrintStream(out, true, StandardCharsets.UTF_8);
        Experiment.Output output = new Experiment.Output(List.of("bench"), json(), print, print);
        FutureTask<Boolean> run = new FutureTask<>(() -> new Bench(settings, output, Kernels.system()).run());
        Thread thread = new Thread(run, "bench");
        thread.start();
        return run.get();
    }

    private Path json() {
        return directory.resolve("report.json");
    }

    private String text() {
        return out.toString(StandardCharsets.UTF_8);
    }
}
