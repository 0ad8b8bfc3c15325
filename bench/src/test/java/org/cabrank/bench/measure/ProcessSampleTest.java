package org.cabrank.bench.measure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ProcessSampleTest {

    private static final long PID = 4242;

    @TempDir
    Path proc;

    @Test
    void usageIsTheSumOverThreadsOfWhatCameInBetween() throws IOException {
        stat(100, 200);
        thread(1, 1_000, 10, 5);
        thread(2, 5_000, 20, 0);
        ProcessSample before = ProcessSample.of(proc, PID);
        stat(130, 270);
        thread(1, 4_000, 12, 6);
        thread(2, 5_500, 20, 1);
        thread(3, 70, 1, 1);
        ProcessUsage usage = ProcessSample.of(proc, PID).since(before);
        assertEquals(3_000 + 500 + 70, usage.cpuNs());
        assertEquals(3 + 1 + 2, usage.switches());
        assertEquals(30, usage.userTicks());
        assertEquals(70, usage.systemTicks());
        assertEquals(3_570 * 0.3, usage.userNs(), 1e-6);
        assertEquals(3_570 * 0.7, usage.systemNs(), 1e-6);
    }

    @Test
    void aThreadThatEndedInBetweenIsNotCounted() throws IOException {
        stat(0, 0);
        thread(1, 1_000, 1, 0);
        thread(2, 9_000, 9, 0);
        ProcessSample before = ProcessSample.of(proc, PID);
        Path gone = task(2);
        Files.delete(gone.resolve("schedstat"));
        Files.delete(gone.resolve("status"));
        thread(1, 1_500, 1, 0);
        assertEquals(500, ProcessSample.of(proc, PID).since(before).cpuNs());
    }

    @Test
    void aProcessThatIsGoneIsAnError() {
        assertThrows(IOException.class, () -> ProcessSample.of(proc, PID));
    }

    @Test
    void thisProcessUsesCpuTime() throws IOException {
        long own = ProcessHandle.current().pid();
        ProcessSample before = ProcessSample.of(own);
        long untilNs = System.nanoTime() + 20_000_000;
        long spins = 0;
        while (System.nanoTime() < untilNs) {
            spins++;
        }
        ProcessUsage usage = ProcessSample.of(own).since(before);
        assertTrue(spins > 0);
        assertTrue(usage.cpuNs() > 0, usage.toString());
        assertTrue(usage.elapsedNs() >= 20_000_000, usage.toString());
    }

    private void stat(long user, long system) throws IOException {
        String line = "4242 (java)" + CpuTicksTest.STAT_TAIL.replace(" 715 96 ", " " + user + " " + system + " ");
        Files.createDirectories(proc.resolve("4242"));
        Files.writeString(proc.resolve("4242/stat"), line);
    }

    private void thread(int tid, long cpuNs, long voluntary, long involuntary) throws IOException {
        Files.createDirectories(task(tid));
        Files.writeString(task(tid).resolve("schedstat"), cpuNs + " 777 88\n");
        Files.writeString(
                task(tid).resolve("status"),
                "Name:\tjava\nThreads:\t3\nvoluntary_ctxt_switches:\t" + voluntary + "\nnonvoluntary_ctxt_switches:\t"
                        + involuntary + "\n");
    }

    private Path task(int tid) {
        return proc.resolve("4242/task/" + tid);
    }
}
