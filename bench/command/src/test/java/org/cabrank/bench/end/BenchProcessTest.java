package org.cabrank.bench.end;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.cabrank.bench.fixture.InSoak;
import org.cabrank.bench.fixture.Once;
import org.cabrank.kernel.Events;
import org.cabrank.kernel.Kernels;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The bench as its user starts it, as small as it can be. */
@Once
@Timeout(300)
final class BenchProcessTest {

    /** Not every locale has the sign. */
    private static final Pattern CELL = Pattern.compile("\\R2 \\S+ 64 B ");

    private static final String NOBODY_ANSWERED = "not one answer in the measured interval";
    private static final int LONGEST_MS = 6_400;

    @TempDir
    private Path directory;

    private int status;

    @Test
    void contenderIsMeasuredTwice() throws Exception {
        String output = measured(400);
        // A busy machine answers nobody for a while.
        for (int ms = 1_600; somebodyWasNotAnswered() && ms <= LONGEST_MS; ms *= 4) {
            output = measured(ms);
        }
        assertEquals(0, status, output + errors());
        assertTrue(output.contains("1 cells, 1 contenders and one of them again, 1 rounds of 1 slices"), output);
        JsonNode report = new ObjectMapper().readTree(json());
        assertTrue(report.get("complete").asBoolean());
        assertEquals("nio-again", report.get("control").asText());
        for (JsonNode run : report.get("runs")) {
            assertTrue(run.get("failure").isNull(), run.toString());
            assertTrue(run.get("measured").get("answers").asLong() > 0, run.toString());
        }
        assertEquals(2, report.get("runs").size());
        String page = Files.readString(directory.resolve("report.html"));
        assertTrue(page.startsWith("<!DOCTYPE html>") && page.contains("nio"), page);
    }

    private String measured(int intervalMs) throws Exception {
        Process bench =
                startWith("nio", intervalMs, "ping-pong", "--connections", "4", "--slices", "1", "--rounds", "1");
        String output = new String(bench.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertTrue(bench.waitFor(200, TimeUnit.SECONDS), "it does not end");
        status = bench.exitValue();
        return output;
    }

    private boolean somebodyWasNotAnswered() throws Exception {
        return status != 0
                && json().exists()
                && Files.readString(json().toPath()).contains(NOBODY_ANSWERED);
    }

    @Test
    void whoeverEndsItEarlyGetsWhatWasFinishedAndLeavesNoProcessBehind() throws Exception {
        Process bench = start(300, "--connections", "2,4", "--slices", "2", "--rounds", "9", "--no-aa");
        List<ProcessHandle> children;
        try (BufferedReader progress = bench.errorReader()) {
            String line = progress.readLine();
            // The other cell is finished; of the servers all but one are stopped.
            while (line != null && !line.contains("ping-pong/4x64B")) {
                line = progress.readLine();
            }
            assertNotNull(line, "it has ended by itself");
            children = bench.descendants().toList();
            assertFalse(children.isEmpty());
            Kernels.system().kill(Math.toIntExact(bench.pid()), Events.SIGINT);
            String output = new String(bench.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertTrue(bench.waitFor(120, TimeUnit.SECONDS), "it does not end");
            assertNotEquals(0, bench.exitValue());
            assertTrue(output.contains("Ended early: this is what was finished."), output);
            assertTrue(CELL.matcher(output).find(), output);
        }
        for (ProcessHandle child : children) {
            child.onExit().get(120, TimeUnit.SECONDS);
        }
        assertTrue(Files.exists(directory.resolve("report.html")));
        JsonNode report = new ObjectMapper().readTree(json());
        assertFalse(report.get("complete").asBoolean());
        assertTrue(report.get("runs").size() > 0);
        for (JsonNode run : report.get("runs")) {
            assertTrue(run.get("failure").isNull(), run.toString());
        }
    }

    @InSoak
    @Test
    void aFrameworkRunsInAProcessThatHasItsJars() throws Exception {
        String[] flags = {"ping-pong", "--connections", "4", "--slices", "1", "--rounds", "1"};
        Process bench = startWith("vertx", LONGEST_MS / 8, flags);
        String output = new String(bench.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertTrue(bench.waitFor(200, TimeUnit.SECONDS), "it does not end");
        assertEquals(0, bench.exitValue(), output + errors());
        assertTrue(output.contains("vertx-core-5"), output);
    }

    private Process start(int intervalMs, String... flags) throws Exception {
        return startWith("cabrank-epoll-1,nio", intervalMs, flags);
    }

    private Process startWith(String contenders, int intervalMs, String... flags) throws Exception {
        List<String> command = JavaCommand.cabrank();
        command.add("bench");
        command.addAll(List.of("--contender", contenders, "--warmup", "10ms"));
        command.addAll(List.of("--duration", intervalMs + "ms"));
        command.addAll(List.of("--json", json().toString()));
        command.addAll(List.of(flags));
        ProcessBuilder builder = new ProcessBuilder(command);
        return List.of(flags).contains("--no-aa")
                ? builder.start()
                : builder.redirectError(errorFile()).start();
    }

    private File json() {
        return directory.resolve("report.json").toFile();
    }

    private File errorFile() {
        return directory.resolve("errors").toFile();
    }

    private String errors() throws Exception {
        return Files.readString(errorFile().toPath(), StandardCharsets.UTF_8);
    }
}
