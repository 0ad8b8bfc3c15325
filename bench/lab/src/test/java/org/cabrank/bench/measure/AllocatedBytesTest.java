package org.cabrank.bench.measure;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

final class AllocatedBytesTest {

    private static final int BYTES = 50_000_000;

    private volatile byte[] allocated;

    @Test
    void onlyAllocationsOfOtherThreadsAreCounted() throws InterruptedException {
        AllocatedBytes bytes = new AllocatedBytes();
        CountDownLatch allocate = new CountDownLatch(1);
        CountDownLatch done = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        Thread other = new Thread(() -> {
            try {
                allocate.await();
                allocated = new byte[BYTES];
                done.countDown();
                end.await();
            } catch (InterruptedException stop) {
                Thread.currentThread().interrupt();
            }
        });
        other.start();
        bytes.now();
        long before = bytes.now();
        allocated = new byte[BYTES];
        long afterOwn = bytes.now() - before;
        allocate.countDown();
        done.await();
        long afterOther = bytes.now() - before;
        end.countDown();
        other.join();
        assertTrue(afterOwn < BYTES, "the caller's " + afterOwn);
        assertTrue(afterOther >= BYTES, "the other's " + afterOther);
    }
}
