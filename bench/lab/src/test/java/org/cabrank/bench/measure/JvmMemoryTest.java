package org.cabrank.bench.measure;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.cabrank.bench.fixture.NewestJdk;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** JVMs of their own weigh themselves. */
@NewestJdk
@Timeout(300)
final class JvmMemoryTest {

    /** Tolerance for other memory of the child JVM, and for a class loader's objects on the heap. */
    private static final long LITTLE = WeighedProgram.BYTES / 16;

    @Test
    void memoryOfTheProgramCountsAndTheJvmsOwnDoesNot() throws Exception {
        List<Long> weights = run("-XX:NativeMemoryTracking=summary").stream()
                .map(Long::valueOf)
                .toList();
        assertEquals(4, weights.size());
        assertEquals(WeighedProgram.BYTES, weights.get(1) - weights.get(0), LITTLE, "on the heap: " + weights);
        assertEquals(WeighedProgram.BYTES, weights.get(2) - weights.get(1), LITTLE, "in a direct buffer: " + weights);
        assertEquals(0, weights.get(3) - weights.get(2), LITTLE, "classes and compiled code: " + weights);
    }

    @Test
    void aJvmThatKeepsNoBookOfItsMemorySaysSo() throws Exception {
        assertEquals(List.of("its JVM says of its native memory: Native memory tracking is not enabled"), run());
    }

    /** Lines printed by the weighed program. */
    private static List<String> run(String... flags) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-Xmx64m", "-XX:+UseSerialGC")); // other collectors give a large array whole regions
        command.addAll(List.of(flags));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), WeighedProgram.class.getName()));
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try {
            List<String> lines = process.inputReader().lines().toList();
            assertEquals(0, process.waitFor());
            return lines;
        } finally {
            process.destroyForcibly();
        }
    }
}
