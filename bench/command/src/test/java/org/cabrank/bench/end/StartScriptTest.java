package org.cabrank.bench.end;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code scripts/cabrank} where it builds nothing: its refusals, and how it starts a JVM, which is a fake here. */
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

    @ParameterizedTest
    @CsvSource({"C, C.UTF-8", "POSIX, C.UTF-8", "de_DE.ISO-8859-1, de_DE.ISO-8859-1"})
    void outputIsUtf8IfThereIsNoLocale(String locale, String seenByTheJvm, @TempDir Path root)
            throws IOException, InterruptedException {
        assumeTrue(Files.isExecutable(SCRIPT), "there is no checkout around this module");
        Path target = Files.createDirectories(root.resolve("bench/command/target"));
        Path scripts = Files.createDirectories(root.resolve("scripts/lib"));
        Files.copy(SCRIPT, root.resolve("scripts/cabrank"), StandardCopyOption.COPY_ATTRIBUTES);
        Files.copy(SCRIPT.resolveSibling("lib/jdks.sh"), scripts.resolve("jdks.sh"));
        Files.createFile(root.resolve("pom.xml"));
        Files.createFile(target.resolve("cabrank-bench-1.jar"));
        Files.writeString(target.resolve("cabrank.stamp"), "panama\n"); // newest of all: nothing is built
        Path jdk = root.resolve("jdk");
        executable(jdk.resolve("bin/javac"), "");
        executable(jdk.resolve("bin/java"), "echo \"$LC_ALL\"");
        Files.writeString(jdk.resolve("release"), "JAVA_VERSION=\"23\"\n"); // one that no archive is made for

        ProcessBuilder start =
                new ProcessBuilder(root.resolve("scripts/cabrank").toString(), "--version").redirectErrorStream(true);
        start.environment().put("CABRANK_JAVA_HOME", jdk.toString());
        start.environment().put("LC_ALL", locale);
        Process process = start.start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), output);
        assertTrue(output.endsWith(seenByTheJvm + "\n"), output);
    }

    private static void executable(Path file, String command) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, "#!/bin/sh\n" + command + "\n");
        assertTrue(file.toFile().setExecutable(true), file.toString());
    }
}
