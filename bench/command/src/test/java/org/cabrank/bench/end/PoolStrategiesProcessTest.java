package org.cabrank.bench.end;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.cabrank.bench.fixture.InSoak;
import org.cabrank.bench.fixture.Once;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The whole experiment, as small as it can be. */
@Once
@Timeout(300)
final class PoolStrategiesProcessTest {

    @TempDir
    private Path directory;

    @InSoak
    @Test
    void everyStrategyOfEveryCellIsMeasured() throws Exception {
        Path json = directory.resolve("report.json");
        String output =
                run(0, "--threads", "2", "--work", "20us", "--rounds", "1", "--connections", "4", "--json", json + "");
        assertTrue(output.contains("1 cell, 4 runs"), output);
        JsonNode report = new ObjectMapper().readTree(json.toFile());
        assertTrue(report.get("complete").asBoolean());
        assertEquals(4, report.get("trials").size());
        for (JsonNode run : report.get("trials")) {
            assertTrue(run.get("result").get("failure").isNull(), run.toString());
            assertTrue(run.get("result").get("measured").get("answers").asLong() > 0, run.toString());
            assertFalse(run.get("result").get("calibration").isNull(), run.toString());
        }
    }

    @Test
    void whatDoesNotFitIntoItsTimeIsLeftOut() throws Exception {
        Path json = directory.resolve("report.json");
        // Nothing was measured: to a script that is a failure.
        String output = run(1, "--threads", "2", "--work", "0us", "--max-time", "0s", "--json", json + "");
        assertTrue(output.contains("Stopped after 0 of 20 runs"), output);
    }

    private String run(int status, String... flags) throws Exception {
        List<String> command = JavaCommand.cabrank();
        command.addAll(List.of("bench", "pool-strategies", "--warmup", "50ms", "--duration", "300ms"));
        command.addAll(List.of(flags));
        File output = directory.resolve("output").toFile();
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output)
                .start();
        assertTrue(process.waitFor(Long.getLong("cabrank.patience.seconds", 200), TimeUnit.SECONDS), "it does not end");
        String text = Files.readString(output.toPath(), StandardCharsets.UTF_8);
        assertEquals(status, process.exitValue(), text);
        return text;
    }
}
