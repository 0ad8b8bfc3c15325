package org.cabrank.affinity;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.abort;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.cabrank.affinity.fixture.LiveCpuset;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.Kernels;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Masks that really change: another process changes a thread's, and a cpuset shrinks under it. */
class LiveMaskTest {
    private Kernel kernel;
    private Affinity affinity;
    private CpuList all;
    private CpuList first;
    private CpuList second;

    @BeforeEach
    void findTwoCpus() throws Exception {
        kernel = Kernels.system();
        affinity = new Affinity(kernel);
        all = affinity.ofProcess();
        assumeTrue(all.size() >= 2, "there is one CPU only");
        int[] cpus = all.cpus().limit(2).toArray();
        first = CpuList.of(cpus[0]);
        second = CpuList.of(cpus[1]);
    }

    private static <T> T onAThreadOfItsOwn(Callable<T> test) throws Exception {
        FutureTask<T> task = new FutureTask<>(test);
        Thread thread = new Thread(task);
        thread.start();
        thread.join();
        try {
            return task.get();
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof Error error) {
                throw error; // an assertion
            }
            if (failed.getCause() instanceof RuntimeException exception) {
                throw exception; // an assumption
            }
            throw failed;
        }
    }

    private static String run(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), said);
        return said;
    }

    @Test
    void threadIsPutBackThatAnotherProcessHasMoved() throws Exception {
        try {
            run("taskset", "--version");
        } catch (IOException absent) {
            abort("there is no taskset here");
        }
        BlockingQueue<MaskChange> told = new ArrayBlockingQueue<>(8);
        onAThreadOfItsOwn(() -> {
            new MaskWatch(kernel, 1_000_000, told::add).pin(first, first);
            run("taskset", "-pc", second.toString(), "" + kernel.gettid());
            MaskChange change = told.take();
            assertTrue(change.words().contains("run on CPU " + second + " "), change::words);
            assertEquals(first, affinity.current());
            assertTrue(change.asPlanned());
            return null;
        });
    }

    @Test
    void threadWhoseCpusetShrinksIsReportedAndPutBackWhenItGrowsAgain() throws Exception {
        List<MaskChange> told = new ArrayList<>();
        onAThreadOfItsOwn(() -> {
            int tid = kernel.gettid();
            MaskWatch watch = new MaskWatch(kernel, 0, told::add);
            try (LiveCpuset cpuset = LiveCpuset.ofThreads()) {
                cpuset.cpus(all);
                cpuset.takeThread(tid);
                watch.pin(first, first);
                cpuset.cpus(second);
                watch.check();
                assertEquals(second, affinity.current());
                MaskChange escaped = told.remove(0);
                assertFalse(escaped.asPlanned());
                assertTrue(escaped.words().contains(first + " is outside this process's cpuset"), escaped::words);
                watch.check();
                assertEquals(List.of(), told);

                cpuset.cpus(all);
                watch.check();
                assertEquals(first, affinity.current());
                assertEquals(
                        List.of(true), told.stream().map(MaskChange::asPlanned).toList());
            }
            return null;
        });
    }

    @Test
    void threadRunsOnTheRestOfItsShardWhenItsCpusetLosesItsCpu() throws Exception {
        List<MaskChange> told = new ArrayList<>();
        onAThreadOfItsOwn(() -> {
            int tid = kernel.gettid();
            MaskWatch watch = new MaskWatch(kernel, 0, told::add);
            try (LiveCpuset cpuset = LiveCpuset.ofThreads()) {
                cpuset.cpus(all);
                cpuset.takeThread(tid);
                watch.pin(first, all);
                cpuset.cpus(all.without(first));
                watch.check();
                assertEquals(all.without(first), affinity.current());
                assertEquals(
                        List.of(false), told.stream().map(MaskChange::asPlanned).toList());
            }
            return null;
        });
    }

    @Test
    void pinningOutsideTheCpusetIsRefusedWithAMessage() throws Exception {
        onAThreadOfItsOwn(() -> {
            try (LiveCpuset cpuset = LiveCpuset.ofThreads()) {
                cpuset.cpus(second);
                cpuset.takeThread(kernel.gettid());
                String message = "";
                try {
                    affinity.pin(first);
                } catch (AffinityException refused) {
                    message = refused.getMessage();
                }
                assertTrue(message.contains("none of these CPUs is there and allowed for this process"), message);
                assertTrue(message.endsWith("it may run on " + second), message);
            }
            return null;
        });
    }
}
