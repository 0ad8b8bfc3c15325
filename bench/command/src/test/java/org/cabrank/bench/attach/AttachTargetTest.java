package org.cabrank.bench.attach;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Processes as procfs describes them. */
final class AttachTargetTest {
    private static final long PID = 4_000_000_000L;
    private static final String CATCHES = "SigCgt:\t0000000181005ccf\n";
    private static final String JVM = "7f00-7f01 r-xp 00000000 08:01 1 /usr/lib/jvm/lib/server/libjvm.so\n";

    @TempDir
    private Path procfs;

    private static String status(String name, int user, String signals) {
        return "Name:\t" + name + "\nUid:\t" + user + "\t" + user + "\t" + user + "\t" + user + "\n" + signals;
    }

    private void process(int user, String signals, String maps) throws IOException {
        Path directory = Files.createDirectories(procfs.resolve(Long.toString(PID)));
        Files.writeString(directory.resolve("status"), status("server", user, signals));
        Files.writeString(directory.resolve("maps"), maps);
    }

    @BeforeEach
    void ownProcess() throws IOException {
        Files.writeString(Files.createDirectory(procfs.resolve("self")).resolve("status"), status("java", 1000, ""));
    }

    private void assertRefused(String message) {
        assertEquals(
                message,
                assertThrows(IOException.class, () -> new AttachTarget(procfs, PID).check())
                        .getMessage());
    }

    @Test
    void jvmOfThisUserIsAccepted() throws IOException {
        process(1000, CATCHES, JVM);
        assertDoesNotThrow(() -> new AttachTarget(procfs, PID).check());
    }

    @Test
    void processThatDoesNotExistIsRefused() {
        assertRefused("there is no process 4000000000: look for the server with jps -l");
    }

    @Test
    void processOfAnotherUserIsRefusedButNotToRoot() throws IOException {
        process(33, CATCHES, JVM);
        assertRefused("process 4000000000 belongs to the user with the id 33: only that user and root may attach to it;"
                + " begin the command with sudo -u '#33'");
        Files.writeString(procfs.resolve("self/status"), status("java", 0, ""));
        assertDoesNotThrow(() -> new AttachTarget(procfs, PID).check());
    }

    @Test
    void processThatIsNoJvmIsRefusedAndGetsNoSignal() throws IOException {
        process(1000, CATCHES, "");
        assertRefused("process 4000000000 (server) is no JVM: look for the server with jps -l");
    }

    @Test
    void jvmThatSigquitWouldEndIsRefused() throws IOException {
        process(1000, "SigCgt:\t0000000180000000\n", JVM);
        assertRefused("JVM 4000000000 does not catch SIGQUIT, by which tools attach: it is still starting, or runs with"
                + " -Xrs; try again, or start the server without that flag");
    }

    @Test
    void stoppedProcessIsRefused() throws IOException {
        process(1000, "State:\tT (stopped)\n" + CATCHES, JVM);
        assertRefused(
                "process 4000000000 is stopped by a signal or a debugger: let it continue with kill -CONT 4000000000");
    }

    @Test
    void thisProcessIsRefused() {
        long own = ProcessHandle.current().pid();
        assertEquals(
                "process " + own + " is this command: name the process of the server",
                assertThrows(IOException.class, () -> new AttachTarget(procfs, own).check())
                        .getMessage());
    }
}
