package org.cabrank.bench.measure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.Kernels;
import org.cabrank.kernel.layout.IoUring;
import org.cabrank.kernel.layout.IoUringParams;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(300)
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
        thread(1, 600_001_000, 12, 6);
        thread(2, 400_005_000, 20, 1);
        thread(3, 70, 1, 1);
        ProcessUsage usage = ProcessSample.of(proc, PID).since(before);
        assertEquals(1_000_000_070, usage.cpuNs());
        assertEquals(600_000_000, usage.busiestThreadNs());
        assertEquals(3 + 1 + 2, usage.switches());
        assertEquals(30, usage.userTicks());
        assertEquals(70, usage.systemTicks());
    }

    @Test
    void cpuTimeOfTheJitCompilerIsReportedSeparately() throws IOException {
        stat(0, 0);
        thread(1, 1_000, 1, 0);
        assertFalse(ProcessSample.of(proc, PID).hasCompiler());
        thread("C2 CompilerThre", 2, 5_000, 0, 1);
        ProcessSample before = ProcessSample.of(proc, PID);
        assertTrue(before.hasCompiler());
        thread(1, 1_100, 2, 0);
        thread("C2 CompilerThre", 2, 5_030, 0, 3);
        thread("C1 CompilerThre", 3, 7, 1, 0);
        thread("C2 of somebody", 4, 9, 1, 0);
        ProcessUsage usage = ProcessSample.of(proc, PID).since(before);
        assertEquals(100 + 30 + 7 + 9, usage.cpuNs());
        assertEquals(30 + 7, usage.compilerNs());
        assertEquals(0, usage.ringThreadsNs());
    }

    @Test
    void aCompilerIsAtWorkWhileOneOfItsThreadsHasOrWantsACpu() throws IOException {
        stat(0, 0);
        thread(1, 1_000, 1, 0);
        thread("C1 CompilerThre", 2, 5_000, 0, 1);
        thread("C2 CompilerThre", 3, 5_000, 0, 1);
        state(1, "R (running)");
        state(2, "S (sleeping)");
        assertFalse(ProcessSample.of(proc, PID).compiles());
        state(3, "R (running)");
        assertTrue(ProcessSample.of(proc, PID).compiles());
    }

    private void state(int tid, String state) throws IOException {
        Path status = task(tid).resolve("status");
        Files.writeString(status, Files.readString(status).replace("\nThreads:", "\nState:\t" + state + "\nThreads:"));
    }

    @Test
    void theKernelsThreadsForARingBelongToTheProcess() throws IOException {
        stat(0, 0);
        thread(1, 1_000, 1, 0);
        thread("iou-sqp-4242", 2, 5_000, 0, 1);
        ProcessSample before = ProcessSample.of(proc, PID);
        thread(1, 1_100, 2, 0);
        thread("iou-sqp-4242", 2, 5_030, 0, 3);
        thread("iou-wrk-4242", 3, 7, 1, 0);
        ProcessUsage usage = ProcessSample.of(proc, PID).since(before);
        assertEquals(100 + 30 + 7, usage.cpuNs());
        assertEquals(30 + 7, usage.ringThreadsNs());
        assertEquals(1 + 2 + 1, usage.switches());
    }

    @Test
    void theThreadOfARealRingIsCounted() throws Exception {
        Kernel kernel = Kernels.system();
        long own = ProcessHandle.current().pid();
        ByteBuffer params = ByteBuffer.allocateDirect(IoUringParams.SIZE_BYTES).order(ByteOrder.nativeOrder());
        params.putInt(IoUringParams.FLAGS_OFFSET, IoUring.IORING_SETUP_SQPOLL);
        ProcessSample before = ProcessSample.of(own);
        int ring = kernel.ioUringSetup(8, kernel.addressOf(params));
        assumeTrue(ring >= 0, () -> "no ring with a thread of its own here: " + Errno.describe(-ring));
        try {
            long ringThreadsNs = 0;
            while (ringThreadsNs == 0) {
                ringThreadsNs = ProcessSample.of(own).since(before).ringThreadsNs();
            }
            assertTrue(ringThreadsNs > 0);
        } finally {
            kernel.close(ring);
        }
    }

    @Test
    void cpuTimeOfAnEndedThreadIsTakenFromTheTicks() throws IOException {
        ProcessSample before = threadOneStaysAndThreadTwoEnds();
        stat(20, 32);
        assertEquals(500_000_000, ProcessSample.of(proc, PID).since(before).cpuNs());
    }

    @Test
    void aTickOrTwoMoreThanTheThreadsHaveShowsNothing() throws IOException {
        ProcessSample before = threadOneStaysAndThreadTwoEnds();
        stat(1, 1);
        assertEquals(500, ProcessSample.of(proc, PID).since(before).cpuNs());
    }

    private ProcessSample threadOneStaysAndThreadTwoEnds() throws IOException {
        stat(0, 0);
        thread(1, 1_000, 1, 0);
        thread(2, 9_000, 9, 0);
        ProcessSample before = ProcessSample.of(proc, PID);
        Path gone = task(2);
        Files.delete(gone.resolve("schedstat"));
        Files.delete(gone.resolve("status"));
        thread(1, 1_500, 1, 0);
        return before;
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

    @Test
    void migrationsAreCountedWhereTheKernelTells() throws IOException {
        stat(0, 0);
        thread(1, 1, 1, 0);
        thread(2, 1, 1, 0);
        migrations(1, 5);
        migrations(2, 70);
        ProcessSample before = ProcessSample.of(proc, PID);
        thread(3, 1, 1, 0);
        migrations(2, 73);
        migrations(3, 2);
        assertEquals(3 + 2, ProcessSample.of(proc, PID).since(before).migrations());
    }

    @Test
    void migrationsAreUnknownWhereOneThreadsAre() throws IOException {
        stat(0, 0);
        thread(1, 1, 1, 0);
        thread(2, 1, 1, 0);
        migrations(1, 5);
        ProcessSample before = ProcessSample.of(proc, PID);
        assertEquals(
                ProcessUsage.UNKNOWN, ProcessSample.of(proc, PID).since(before).migrations());
    }

    private void migrations(int tid, long count) throws IOException {
        Files.writeString(
                task(tid).resolve("sched"),
                "java (4242, #threads: 3)\n-----\nse.vruntime   :   1.5\nse.nr_migrations                             :"
                        + "                    " + count + "\nnr_switches   :   9\n");
    }

    private void stat(long user, long system) throws IOException {
        String line = "4242 (java)" + CpuTicksTest.STAT_TAIL.replace(" 715 96 ", " " + user + " " + system + " ");
        Files.createDirectories(proc.resolve("4242"));
        Files.writeString(proc.resolve("4242/stat"), line);
    }

    private void thread(int tid, long cpuNs, long voluntary, long involuntary) throws IOException {
        thread("java", tid, cpuNs, voluntary, involuntary);
    }

    private void thread(String name, int tid, long cpuNs, long voluntary, long involuntary) throws IOException {
        Files.createDirectories(task(tid));
        Files.writeString(task(tid).resolve("schedstat"), cpuNs + " 777 88\n");
        Files.writeString(
                task(tid).resolve("status"),
                "Name:\t" + name + "\nThreads:\t3\nvoluntary_ctxt_switches:\t" + voluntary
                        + "\nnonvoluntary_ctxt_switches:\t" + involuntary + "\n");
    }

    private Path task(int tid) {
        return proc.resolve("4242/task/" + tid);
    }
}
