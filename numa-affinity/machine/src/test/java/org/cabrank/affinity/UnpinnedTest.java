package org.cabrank.affinity;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ThreadFactory;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.Kernels;
import org.cabrank.kernel.contract.ForwardingKernel;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** CPUs of threads that a pinned thread starts. */
class UnpinnedTest {
    private Kernel kernel;
    private Affinity affinity;
    private CpuList all;
    private CpuList one;

    @BeforeEach
    void chooseACpu() throws Exception {
        kernel = Kernels.system();
        affinity = new Affinity(kernel);
        all = affinity.ofProcess();
        one = CpuList.of(all.cpus().findFirst().orElseThrow());
    }

    /** On a new thread that is pinned to one CPU. */
    private <T> T pinned(Callable<T> work) throws Exception {
        return on(Thread::new, () -> {
            affinity.pin(one);
            T result = work.call();
            assertEquals(one, affinity.current());
            return result;
        });
    }

    private static <T> T on(ThreadFactory threads, Callable<T> work) throws Exception {
        FutureTask<T> task = new FutureTask<>(work);
        Thread thread = threads.newThread(task);
        thread.start();
        thread.join();
        return task.get();
    }

    /** The behaviour of Linux that {@link Affinity#unpinned} and {@link Affinity#unpinnedTasks} compensate for. */
    @Test
    void threadInheritsTheMaskOfTheThreadThatStartsIt() throws Exception {
        assertEquals(one, pinned(() -> on(Thread::new, affinity::current)));
    }

    @Test
    void unpinnedThreadRunsWhereTheProcessMay() throws Exception {
        assertEquals(all, pinned(() -> on(affinity.unpinned(Thread::new), affinity::current)));
    }

    @Test
    void threadOfTheFactoryIsTheOneThatItMade() {
        Thread thread = affinity.unpinned(task -> new Thread(task, "named")).newThread(() -> {});
        assertEquals("named", thread.getName());
    }

    @Test
    void unpinnedTaskRunsWhereTheProcessMayThoughItsThreadDoesNot() throws Exception {
        ExecutorService executor = Executors.newSingleThreadExecutor();
        try {
            CpuList inherited = pinned(() -> executor.submit(affinity::current).get());
            assertEquals(one, inherited);
            FutureTask<CpuList> task = new FutureTask<>(affinity::current);
            affinity.unpinnedTasks(executor).execute(task);
            assertEquals(all, task.get());
        } finally {
            executor.shutdown();
        }
    }

    @Test
    void threadDoesItsWorkThoughTheKernelDoesNotUnpinIt() throws Exception {
        CountDownLatch refused = new CountDownLatch(2);
        Affinity refusing = new Affinity(new ForwardingKernel(kernel) {
            @Override
            public int schedGetaffinity(int tid, int maskBytes, long mask) {
                refused.countDown();
                return -Errno.EPERM;
            }
        });
        ThreadFactory threads = refusing.unpinned(Thread::new);
        assertEquals(one, pinned(() -> on(threads, affinity::current)));
        assertEquals(one, pinned(() -> on(threads, affinity::current)));
        refused.await();
    }
}
