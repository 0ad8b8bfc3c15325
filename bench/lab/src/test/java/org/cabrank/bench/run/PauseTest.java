package org.cabrank.bench.run;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.cabrank.bench.fixture.Once;
import org.cabrank.kernel.Kernels;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Once
@Timeout(300)
final class PauseTest {

    private Pause pause;
    private Process process;

    @BeforeEach
    void start() throws Exception {
        pause = new Pause(Kernels.system());
        process = new ProcessBuilder("sleep", "100").start();
        awaitState("S (sleeping)");
    }

    @AfterEach
    void end() {
        process.destroyForcibly();
    }

    @Test
    void stoppedProcessRunsAgainOnlyAfterResume() throws Exception {
        pause.stop(process.pid());
        awaitState("T (stopped)");
        pause.goOn(process.pid());
        awaitState("S (sleeping)");
    }

    @Test
    void aBriefPauseInterruptsItsWaitingAndIsOver() throws Exception {
        long before = interruptions();
        // On a busy machine SIGCONT may arrive before the process has stopped.
        while (interruptions() == before) {
            pause.briefly(process.pid());
        }
        awaitState("S (sleeping)");
    }

    @Test
    void endedProcessCannotBeStopped() throws Exception {
        process.destroyForcibly().waitFor();
        pause.stop(process.pid());
        pause.briefly(process.pid());
    }

    /** Number of voluntary context switches of the process: how often it has begun to wait. */
    private long interruptions() throws IOException {
        return Long.parseLong(status("voluntary_ctxt_switches:"));
    }

    private void awaitState(String state) throws Exception {
        while (!status("State:").equals(state)) {
            assertTrue(process.isAlive());
            Thread.onSpinWait();
        }
    }

    private String status(String name) throws IOException {
        return Files.readAllLines(Path.of("/proc/" + process.pid() + "/status")).stream()
                .filter(line -> line.startsWith(name))
                .map(line -> line.substring(name.length()).strip())
                .findFirst()
                .orElseThrow();
    }
}
