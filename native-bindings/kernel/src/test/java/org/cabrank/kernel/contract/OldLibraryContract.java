package org.cabrank.kernel.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every call works in a process whose C library lacks what {@link OldLibrary} takes away. */
public abstract class OldLibraryContract {
    @TempDir
    private Path directory;

    /** glibc of RHEL 7, the oldest that current JVMs run on. */
    private static final Runtime.Version OLDEST = Runtime.Version.parse("2.17");

    /** The name of the provider under test. */
    protected abstract String provider();

    /** The names of all functions that the provider links. */
    protected abstract Stream<String> functions();

    @Test
    void linkedFunctionsAreInTheOldestLibrary() throws IOException {
        Map<String, Runtime.Version> first = OldLibrary.firstVersions();
        assertEquals("2.30", first.get("gettid").toString(), "the library is read correctly");
        List<String> linked = functions().toList();
        assertTrue(linked.contains("syscall"), linked::toString);
        for (String function : linked) {
            Runtime.Version since = first.get(function);
            assertTrue(since != null && since.compareTo(OLDEST) <= 0, () -> function + " is in glibc since " + since);
            assertFalse(OldLibrary.FAILING.contains(function), () -> function + " fails in musl");
        }
    }

    @Test
    void callsWorkWithACLibraryThatLacksTheirFunctions() throws IOException, InterruptedException {
        OldLibrary.writeTo(directory);
        Path output = directory.resolve("output");
        String classPath = System.getProperty("jdk.module.path", "") + ":" + System.getProperty("java.class.path");
        ProcessBuilder builder = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx64m",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Dcabrank.kernel=" + provider(),
                "-cp",
                classPath,
                OldLibraryProgram.class.getName(),
                directory.resolve(OldLibrary.FILE_NAME).toString());
        builder.environment().put("LD_LIBRARY_PATH", directory.toString());
        builder.redirectErrorStream(true).redirectOutput(output.toFile());
        Process process = builder.start();
        try {
            assertTrue(
                    process.waitFor(KernelContract.PATIENCE_MS, TimeUnit.MILLISECONDS),
                    () -> "still runs: " + text(output));
        } finally {
            process.destroyForcibly();
        }
        assertEquals(0, process.exitValue(), () -> text(output));
    }

    private static String text(Path output) {
        try {
            return Files.readString(output);
        } catch (IOException unreadable) {
            return unreadable.toString();
        }
    }
}
