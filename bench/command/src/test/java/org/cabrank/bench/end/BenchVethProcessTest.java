package org.cabrank.bench.end;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.cabrank.bench.fixture.InSoak;
import org.cabrank.bench.fixture.Once;
import org.cabrank.bench.run.VethNetwork;
import org.cabrank.kernel.Events;
import org.cabrank.kernel.Kernels;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The bench over a veth pair as its user starts it, and what is left of its network namespaces. */
@InSoak
@Once
@Timeout(300)
final class BenchVethProcessTest {

    private static final Path NAMESPACES = Path.of("/run/netns");

    @TempDir
    private Path directory;

    @BeforeAll
    static void onlyAsRoot() throws IOException {
        assumeTrue(VethNetwork.obstacle().isEmpty(), "needs root, ip and nsenter");
    }

    @Test
    void cellsOverVethStandBesideThoseOverLoopbackAndASignalEndsTheBenchAndItsNamespaces() throws Exception {
        Process bench = start("--net", "loopback,veth", "--slices", "2", "--rounds", "9");
        try (BufferedReader progress = bench.errorReader()) {
            String line = progress.readLine();
            while (line != null && !line.contains("round 2 of 9")) {
                line = progress.readLine();
            }
            assertNotNull(line, "it has ended by itself");
            List<ProcessHandle> children = bench.descendants().toList();
            assertFalse(children.isEmpty());
            Kernels.system().kill(Math.toIntExact(bench.pid()), Events.SIGTERM);
            String output = output(bench);
            assertNotEquals(0, bench.exitValue());
            assertTrue(output.contains("Ended early: this is what was finished."), output);
            assertTrue(output.contains("joined by a veth pair"), output);
            for (ProcessHandle child : children) {
                child.onExit().get(120, TimeUnit.SECONDS);
            }
        }
        JsonNode report = new ObjectMapper().readTree(json().toFile());
        List<String> cells =
                report.findValuesAsText("cell").stream().distinct().sorted().toList();
        assertEquals(List.of("ping-pong/2x64B", "ping-pong/2x64B@veth"), cells);
        for (JsonNode run : report.get("runs")) {
            assertTrue(run.get("measured").get("answers").asLong() > 0, run.toString());
        }
        assertNothingLeft(bench.pid());
    }

    private static String output(Process bench) throws Exception {
        String output = new String(bench.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertTrue(bench.waitFor(200, TimeUnit.SECONDS), "it does not end");
        return output;
    }

    private static void assertNothingLeft(long pid) throws IOException {
        try (Stream<Path> left = Files.list(NAMESPACES)) {
            assertEquals(
                    List.of(),
                    left.filter(path -> path.toString().endsWith("-" + pid)).toList());
        }
    }

    private Process start(String... flags) throws IOException {
        List<String> command = JavaCommand.cabrank();
        command.addAll(List.of("bench", "--contender", "nio", "--connections", "2", "--no-aa"));
        command.addAll(List.of("--warmup", "10ms", "--duration", "200ms", "--json", json().toString()));
        command.addAll(List.of(flags));
        return new ProcessBuilder(command).start();
    }

    private Path json() {
        return directory.resolve("report.json");
    }
}
