package org.cabrank.bench.end;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Refusals of {@code scripts/cabrank} before it builds or starts anything. */
@Timeout(300)
final class StartScriptTest {
    private static final Path SCRIPT = Path.of("../../scripts/cabrank");

    @Test
    void tooFewDescriptorsForAVirtualMachineAreRefusedWithTheRemedy() throws IOException, InterruptedException {
        assumeTrue(Files.isExecutable(SCRIPT), "there is no checkout around this module");
        Process process = new ProcessBuilder("bash", "-c", "ulimit -n 32; exec \"$0\" serve echo", SCRIPT.toString())
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(1, process.waitFor(), output);
        assertTrue(output.contains("may open 32 descriptors") && output.contains("raise ulimit -n"), output);
    }

    @Test
    void helpOfTheMicrobenchmarksNeedsNoBuild() throws IOException, InterruptedException {
        assumeTrue(Files.isExecutable(SCRIPT), "there is no checkout around this module");
        Process process = new ProcessBuilder(SCRIPT.toString(), "jmh", "--help")
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), output);
        assertTrue(output.startsWith("Usage: cabrank jmh ") && !output.contains("building"), output);
    }
}
