package org.cabrank.socket.source;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.cabrank.kernel.Events;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Signals that a source can wait for, and the error messages for all other signals. */
class SignalsTest {
    private static String refusal(int signal, String suspendSetting) {
        return assertThrows(IllegalArgumentException.class, () -> Signals.requireAllowed(signal, suspendSetting))
                .getMessage();
    }

    @Test
    void signalsThatNobodyCanCatchAreRefused() {
        assertTrue(refusal(9, null).startsWith("SIGKILL cannot be waited for"));
        assertTrue(refusal(19, null).startsWith("SIGSTOP cannot be waited for"));
        assertTrue(refusal(0, null).contains("no such signal"));
        assertTrue(refusal(65, null).contains("no such signal"));
    }

    @Test
    void signalsThatTheJvmAndTheCLibraryNeedAreRefused() {
        for (int fault : new int[] {4, 5, 7, 8, 11}) {
            assertTrue(refusal(fault, null).contains("fault"), () -> Signals.name(fault));
        }
        assertTrue(refusal(32, null).contains("C library"));
        assertTrue(refusal(33, null).contains("C library"));
        assertTrue(refusal(Events.SIGUSR2, null).contains("_JAVA_SR_SIGNUM"));
    }

    @Test
    void signalThatTheJvmSuspendsThreadsWithIsASetting() {
        assertDoesNotThrow(() -> Signals.requireAllowed(Events.SIGUSR2, "40"));
        assertTrue(refusal(40, " 40").contains("_JAVA_SR_SIGNUM"));
        assertTrue(refusal(Events.SIGUSR2, "nonsense").contains("_JAVA_SR_SIGNUM"));
    }

    @Test
    void othersAreAllowed() {
        for (int signal : new int[] {Events.SIGHUP, Events.SIGUSR1, Events.SIGCHLD, 31, 34, 64}) {
            assertDoesNotThrow(() -> Signals.requireAllowed(signal, null), () -> Signals.name(signal));
        }
    }

    private static void thread(Path threads, int tid, String name, String blocked) throws IOException {
        Path thread = Files.createDirectory(threads.resolve("" + tid));
        Files.writeString(
                thread.resolve("status"),
                "Name:\t" + name + "\nPid:\t" + tid + "\nSigBlk:\t" + blocked + "\nSigIgn:\t0000000000000000\n");
    }

    @Test
    void everyThreadMustBlockTheSignal(@TempDir Path threads) throws IOException {
        thread(threads, 1, "main", "0000000000000200");
        thread(threads, 2, "GC Thread#0", "fffffffe7ffbfeff");
        assertDoesNotThrow(() -> Signals.requireBlocked(10, threads));
        thread(threads, 3, "late one", "0000000000000100");
        String refused = assertThrows(IllegalStateException.class, () -> Signals.requireBlocked(10, threads))
                .getMessage();
        assertTrue(refused.contains("'late one' (tid 3)"), refused);
        assertFalse(refused.contains("main"), refused);
    }

    /** The kernel keeps 15 bytes of a name, here seven letters of two bytes and a half. */
    @Test
    void nameOfAThreadMayBeCutWithinACharacter(@TempDir Path threads) throws IOException {
        thread(threads, 1, "main", "0000000000000200");
        Path status = threads.resolve("1").resolve("status");
        byte[] cut = Arrays.copyOf("обработчик".getBytes(StandardCharsets.UTF_8), 15);
        String text = Files.readString(status).replace("main", new String(cut, StandardCharsets.ISO_8859_1));
        Files.writeString(status, text, StandardCharsets.ISO_8859_1);
        assertDoesNotThrow(() -> Signals.requireBlocked(10, threads));
        assertThrows(IllegalStateException.class, () -> Signals.requireBlocked(11, threads));
    }

    @Test
    void highestSignalIsTheHighestBit(@TempDir Path threads) throws IOException {
        thread(threads, 1, "main", "8000000000000000");
        assertDoesNotThrow(() -> Signals.requireBlocked(64, threads));
        assertThrows(IllegalStateException.class, () -> Signals.requireBlocked(63, threads));
    }

    @Test
    void refusalNamesSomeThreadsAndCountsTheOthers(@TempDir Path threads) throws IOException {
        for (int tid = 1; tid <= 7; tid++) {
            thread(threads, tid, "t" + tid, "0");
        }
        String refused = assertThrows(IllegalStateException.class, () -> Signals.requireBlocked(34, threads))
                .getMessage();
        assertTrue(refused.contains("and 4 more"), refused);
        assertTrue(refused.contains("env --block-signal=34 java"), refused);
    }
}
