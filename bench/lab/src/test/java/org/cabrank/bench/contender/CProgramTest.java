package org.cabrank.bench.contender;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.cabrank.bench.fixture.NewestJdk;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(300)
@NewestJdk
final class CProgramTest {

    private static final String SOURCE = "epoll_echo.c";

    @TempDir
    Path room;

    @Test
    void missingCompilerIsReportedWithThePackageToInstall() {
        CProgram program = new CProgram(SOURCE, "no-such-compiler", kept("cache"));
        ContenderUnavailableException refused = assertThrows(ContenderUnavailableException.class, program::executable);
        assertEquals("no gcc: apt-get install gcc libc6-dev", refused.getMessage());
    }

    @Test
    void failedCompilationIsRefusedWithTheCompilersFirstError() throws Exception {
        Path compiler = room.resolve("compiler");
        Files.writeString(compiler, "#!/bin/sh\necho in file x\necho 'y.c:1: error: no such thing'\nexit 1\n");
        Files.setPosixFilePermissions(compiler, PosixFilePermissions.fromString("rwx------"));
        CProgram program = new CProgram(SOURCE, compiler.toString(), kept("cache"));
        ContenderUnavailableException refused = assertThrows(ContenderUnavailableException.class, program::executable);
        assertEquals("gcc cannot compile epoll_echo.c here: y.c:1: error: no such thing", refused.getMessage());
        assertEquals(List.of(), files("cache"));
    }

    @Test
    void compiledProgramIsReused() throws Exception {
        Path program = compile(kept("cache"));
        FileTime made = Files.getLastModifiedTime(program);
        assertEquals(program, compile(kept("cache")));
        assertEquals(made, Files.getLastModifiedTime(program));
        assertEquals(List.of(program), files("cache"));
    }

    @Test
    void twoMayCompileTheSameAtTheSameTime() throws Exception {
        assumeCompiler();
        Callable<Path> compile = () -> new CProgram(SOURCE, "gcc", kept("cache")).executable();
        ExecutorService both = Executors.newFixedThreadPool(2);
        try {
            List<Future<Path>> programs = both.invokeAll(List.of(compile, compile));
            assertEquals(programs.get(0).get(), programs.get(1).get());
            assertEquals(List.of(programs.get(0).get()), files("cache"));
        } finally {
            both.shutdown();
        }
    }

    @Test
    void aDirectoryThatOthersMayWriteToIsNotUsed() throws Exception {
        Path open = Files.createDirectory(room.resolve("open"));
        Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwxrwx"));
        IOException refused = assertThrows(IOException.class, () -> ProgramDirectory.kept(open));
        assertEquals(open + " can be written to by others", refused.getMessage());
        Path program =
                compile(List.of(() -> ProgramDirectory.kept(open), kept("cache").get(0)));
        assertEquals(room.resolve("cache"), program.getParent());
    }

    @Test
    void aDirectoryOfThisProcessIsTheLastResort() throws Exception {
        Path program = compile(List.of(TemporaryPrograms.DIRECTORY));
        assertEquals("rwx------", PosixFilePermissions.toString(Files.getPosixFilePermissions(program.getParent())));
    }

    @Test
    void aProgramEndsWhenItsInputEnds() throws Exception {
        Path program = compile(kept("cache"));
        Process process = new ProcessBuilder(program.toString()).start();
        try {
            assertTrue(process.inputReader().readLine().startsWith(ContenderProcess.LISTENING));
            process.getOutputStream().close();
            assertEquals(0, process.waitFor());
        } finally {
            process.destroyForcibly();
        }
    }

    private static Path compile(List<ProgramDirectory> directories) throws IOException {
        assumeCompiler();
        Path program = new CProgram(SOURCE, "gcc", directories).executable();
        assertTrue(Files.isExecutable(program));
        return program;
    }

    private static void assumeCompiler() {
        assumeTrue(Programs.onPath("gcc"), "no gcc: apt-get install gcc libc6-dev");
    }

    private List<ProgramDirectory> kept(String name) {
        return List.of(() -> ProgramDirectory.kept(room.resolve(name)));
    }

    private List<Path> files(String name) throws IOException {
        try (Stream<Path> files = Files.list(room.resolve(name))) {
            return files.toList();
        }
    }
}
