package org.cabrank.lf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
class OffloadExecutorsTest {
    private static boolean isVirtual(Thread thread) {
        return thread.toString().startsWith("VirtualThread[");
    }

    @Test
    void virtualThreadsAreUsedWhereTheJvmHasThem() throws Exception {
        ExecutorService executor = OffloadExecutors.virtualThreadsElse("slow", 2, 8);
        try {
            boolean expected = Runtime.version().feature() >= 21;
            assertEquals(expected, OffloadExecutors.hasVirtualThreads());
            assertEquals(
                    expected,
                    executor.submit(() -> isVirtual(Thread.currentThread())).get());
            assertTrue(executor.submit(() -> Thread.currentThread().getName())
                    .get()
                    .startsWith("slow-"));
        } finally {
            executor.shutdown();
        }
    }

    @Test
    void platformThreadsRejectWhatFindsNeitherThreadNorRoom() throws Exception {
        ExecutorService executor = OffloadExecutors.platformThreads("slow", 1, 1);
        CountDownLatch release = new CountDownLatch(1);
        try {
            executor.submit(() -> {
                release.await();
                return null;
            });
            var waiting = executor.submit(() -> Thread.currentThread().getName());
            assertThrows(RejectedExecutionException.class, () -> executor.submit(() -> "no room"));
            release.countDown();
            assertEquals("slow-0", waiting.get());
        } finally {
            executor.shutdown();
        }
    }
}
