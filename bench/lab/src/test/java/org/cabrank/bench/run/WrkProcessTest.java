package org.cabrank.bench.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.cabrank.bench.fixture.Once;
import org.cabrank.bench.load.LoadTraffic;
import org.cabrank.bench.text.HostPort;
import org.cabrank.kernel.Kernels;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A program in place of wrk that misbehaves: the caller gets an error, and the program is ended. */
@Once
@Timeout(300)
final class WrkProcessTest {

    private static final String READY = "trap '' INT TERM; echo ready 0.001; read go; ";
    private static final String BEGUN = READY + "echo '  1 threads and 1 connections'; ";

    private static final String HEARS = "heard=0; trap 'heard=$((heard + 1))' INT; echo ready 0.001; read go; "
            + "echo '  1 threads and 1 connections'; ";
    private static final String MEASURED = "echo measured 0.1; read result";

    @TempDir
    Path directory;

    @Test
    void oneThatDoesNotStartIsToldWithItsLog() throws Exception {
        try (WrkProcess wrk = start("echo 'no memory' >&2; exit 3")) {
            ChildFailedException failure = assertThrows(ChildFailedException.class, wrk::awaitReady);
            assertEquals("wrk ended with exit status 3", failure.getMessage());
            assertEquals("no memory", failure.log());
        }
    }

    @Test
    void oneThatDiesInTheMiddleIsToldWhateverIsWantedOfIt() throws Exception {
        try (WrkProcess wrk = start(BEGUN + "exit 4")) {
            wrk.awaitReady();
            wrk.begin();
            assertEquals(
                    "wrk ended with exit status 4",
                    assertThrows(ChildFailedException.class, wrk::end).getMessage());
            // The process has ended and been waited for: its id names no process any more.
            assertThrows(ChildFailedException.class, wrk::sample);
        }
    }

    @Test
    void oneThatSaysSomethingElseIsNotUnderstood() throws Exception {
        try (WrkProcess wrk =
                start(BEGUN + "echo measured 0.1; read result; echo result requests many; echo latencies")) {
            wrk.awaitReady();
            wrk.begin();
            wrk.end();
            assertEquals(99_000_000, wrk.cpuNs());
            ChildFailedException failure = assertThrows(ChildFailedException.class, wrk::result);
            assertTrue(failure.getMessage().contains("many"), failure.getMessage());
        }
    }

    @Test
    void oneThatDoesNotHearOfItsEndIsToldAgain() throws Exception {
        try (WrkProcess wrk = start(HEARS + heardTimes(1) + MEASURED)) {
            wrk.awaitReady();
            wrk.begin();
            wrk.end();
            assertTrue(wrk.endedInTime());
        }
        try (WrkProcess wrk = start(HEARS + heardTimes(2) + MEASURED)) {
            wrk.awaitReady();
            wrk.begin();
            wrk.end();
            assertEquals(99_000_000, wrk.cpuNs());
            assertFalse(wrk.endedInTime());
        }
    }

    private static String heardTimes(int times) {
        return "while [ $heard -lt " + times + " ]; do sleep 0.01; done; ";
    }

    @Test
    void oneThatHangsDoesNotStay() throws Exception {
        ProcessHandle hanging;
        try (WrkProcess wrk = start(READY + "while :; do read never; done < " + fifo())) {
            wrk.awaitReady();
            hanging = ProcessHandle.current()
                    .children()
                    .filter(child -> child.info()
                            .commandLine()
                            .orElse("")
                            .contains(program().toString()))
                    .findFirst()
                    .orElseThrow();
        }
        assertTrue(!hanging.isAlive(), hanging.toString());
    }

    /** A pipe that no process opens for writing, so that opening it for reading blocks. */
    private Path fifo() throws Exception {
        Path fifo = directory.resolve("fifo");
        assertEquals(0, new ProcessBuilder("mkfifo", fifo.toString()).start().waitFor());
        return fifo;
    }

    private Path program() {
        return directory.resolve("wrk");
    }

    /**
     * Runs the script with the default action of SIGINT, because a shell started by a background build inherits that SIGINT
     * is ignored, and cannot set a trap.
     */
    private WrkProcess start(String script) throws Exception {
        Files.writeString(program(), "#!/usr/bin/env -S --default-signal=INT sh\n" + script + "\n");
        assertTrue(program().toFile().setExecutable(true));
        return new WrkProcess(
                new Stage(Kernels.system(), null, 1, null),
                program(),
                directory.resolve("unused.lua"),
                new HostPort("127.0.0.1", 1),
                null,
                LoadTraffic.pingPong(1, 13),
                1,
                1);
    }
}
