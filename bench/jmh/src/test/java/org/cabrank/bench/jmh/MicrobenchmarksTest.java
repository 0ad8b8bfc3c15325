package org.cabrank.bench.jmh;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MicrobenchmarksTest {
    private final ByteArrayOutputStream said = new ByteArrayOutputStream();

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "--bogus | bogus is not a recognized option",
                "--quick -f | Option f",
                "-f many | many",
                "-wi -1 | -1",
                "-tu years | years",
                "-rf html | HTML",
                "*bogus* | '*bogus*' is no regular expression: Dangling meta character '*'",
            })
    void aWrongCommandLineIsRefusedWithAMessage(String commandLine, String words) throws IOException {
        assertEquals(2, run(commandLine.split(" ")));
        assertTrue(said().startsWith("cabrank jmh: "), said());
        assertTrue(said().contains(words), said());
        assertTrue(said().endsWith("see 'cabrank jmh -h'\n"), said());
    }

    @Test
    void aPatternThatNothingMatchesIsAnsweredWithWhatThereIs() throws IOException {
        assertEquals(2, run("NoSuchBenchmark", "NorThis"));
        assertTrue(said().contains("is called NoSuchBenchmark or NorThis; there are\n  org.cabrank."), said());
        assertTrue(said().contains("\n  org.cabrank.bench.jmh.EventBenchmark.event\n"), said());
    }

    @Test
    void unavailableContendersAreNotListed() throws IOException {
        run("NoSuchBenchmark");
        for (LeftOut each : LeftOut.here()) {
            assertTrue(said().contains("cabrank jmh: left out: " + each), said());
        }
        boolean ffm = Runtime.version().feature() >= 22;
        assertEquals(!ffm, said().contains("they take a JDK of 22 or later, and this one is a"), said());
    }

    @Test
    void explicitSettingsOverrideDefaults(@TempDir Path directory) throws IOException {
        Path json = directory.resolve("result.json");
        String shortest = "-f 0 -wi 0 -i 2 -r 1ms -v silent -rf json -rff " + json + " EventBenchmark.event$";
        assertEquals(0, run(shortest.split(" ")));
        String result = Files.readString(json);
        assertTrue(result.contains("\"measurementIterations\" : 2,"), result);
        assertTrue(result.contains("\"forks\" : 0,"), result);
        assertTrue(result.contains("\"mode\" : \"avgt\","), result);
        assertTrue(result.contains("\"scoreUnit\" : \"ns/op\","), result);
    }

    /** JMH itself would end with 0. */
    @Test
    void aBenchmarkThatFailsIsNamedAndMakesTheRunFail() throws IOException {
        String failing = "-f 0 -wi 0 -i 1 -r 1ms -v silent -p maxGapUs=0 TakeoverBenchmark";
        assertEquals(1, run(failing.split(" ")));
        assertTrue(said().contains("without a result: org.cabrank.bench.jmh.TakeoverBenchmark.takeover"), said());
    }

    private int run(String... arguments) throws IOException {
        return Microbenchmarks.run(new PrintStream(said, true, StandardCharsets.UTF_8), arguments);
    }

    private String said() {
        return said.toString(StandardCharsets.UTF_8);
    }
}
