package org.cabrank.bench.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class WrkTest {

    private static final ProgramOnPath PROGRAM = new ProgramOnPath("wrk", "wrk");

    @TempDir
    Path directory;

    @Test
    void withoutItTheRemedyIsNamed() throws Exception {
        Files.createFile(directory.resolve("wrk")); // nobody may execute it
        for (String path : new String[] {null, "", directory.toString(), "/nowhere" + File.pathSeparator}) {
            assertEquals("no wrk: apt-get install wrk", PROGRAM.obstacle(path), path);
        }
    }

    @Test
    void theFirstOneOnThePathIsTaken() throws Exception {
        Path program = Files.createFile(directory.resolve("wrk"));
        assertTrue(program.toFile().setExecutable(true));
        String path = "/nowhere" + File.pathSeparator + directory;
        assertEquals(Optional.of(program), PROGRAM.in(path));
        assertNull(PROGRAM.obstacle(path));
    }

    @Test
    void itsVersionIsWhatItSaysItself() throws Exception {
        assertEquals(
                Optional.of("debian/4.1.0-3"),
                version("echo 'wrk debian/4.1.0-3 [epoll] Copyright (C)'; echo; exit 1"));
        assertEquals(Optional.empty(), version("echo nothing that anybody understands"));
        assertEquals(
                Optional.empty(),
                ProgramOnPath.version(directory.resolve("absent"), Wrk.VERSION, Duration.ofSeconds(5)));
    }

    /** A child of the program holds its output open, as a wrapper's child does. */
    @Test
    void aProgramThatDoesNotEndHasNoVersion() throws Exception {
        Path program = script("echo 'wrk 4.1.0 [epoll]'; sleep 60");
        long startNs = System.nanoTime();
        assertEquals(Optional.empty(), ProgramOnPath.version(program, Wrk.VERSION, Duration.ofMillis(200)));
        assertTrue(System.nanoTime() - startNs < 30_000_000_000L, "ended by the limit and not by itself");
    }

    private Optional<String> version(String script) throws Exception {
        return ProgramOnPath.version(script(script), Wrk.VERSION, Duration.ofSeconds(30));
    }

    private Path script(String script) throws Exception {
        Path program = Files.writeString(directory.resolve("wrk"), "#!/bin/sh\n" + script + "\n");
        assertTrue(program.toFile().setExecutable(true));
        return program;
    }
}
