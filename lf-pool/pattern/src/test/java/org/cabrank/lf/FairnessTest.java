package org.cabrank.lf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.cabrank.lf.fixture.Await;
import org.cabrank.lf.fixture.TestThread;
import org.cabrank.lf.handle.Deactivation;
import org.cabrank.lf.observe.ThreadState;
import org.cabrank.lf.observe.ThreadStatus;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Effects of the promotion orders, with real threads and read off the counters of each thread: FIFO lets none starve,
 * LIFO gives the work to the few whose caches are warm.
 */
@Timeout(300)
@Tag("newest") // on an older JDK in a soak only
class FairnessTest {
    private static final int THREADS = 6;

    private final MemoryHandleSet set = new MemoryHandleSet(Deactivation.CLAIM);
    private final AtomicLong consumed = new AtomicLong();

    private MemoryHandle handle(String name) {
        MemoryHandle handle = new MemoryHandle(set, name, null, (h, ready) -> {
            while (set.read((MemoryHandle) h) != null) {
                consumed.incrementAndGet();
            }
        });
        set.register(handle);
        return handle;
    }

    private static boolean isAtRest(LeaderFollowersPool pool) {
        List<ThreadStatus> threads = pool.threads();
        return threads.stream().filter(one -> one.state() == ThreadState.LEADER).count() == 1
                && threads.stream()
                                .filter(one -> one.state() == ThreadState.FOLLOWER)
                                .count()
                        == THREADS - 1;
    }

    /** Calls of handlers by each thread, the busiest first. */
    private static List<Long> shares(LeaderFollowersPool pool) {
        return pool.threads().stream()
                .map(ThreadStatus::processed)
                .sorted(Comparator.reverseOrder())
                .toList();
    }

    /** One event at a time, each when every thread has come back: then nothing is left to the scheduler. */
    private List<Long> sharesOfEventsAtRest(PoolConfig config, int events) {
        MemoryHandle handle = handle("handle");
        try (LeaderFollowersPool pool = new LeaderFollowersPool(set, config)) {
            pool.start();
            for (int event = 1; event <= events; event++) {
                assertTrue(Await.until(Await.PATIENCE, () -> isAtRest(pool)), "the threads come to rest");
                set.produce(handle, events);
                long due = event;
                assertTrue(
                        Await.until(Await.PATIENCE, () -> consumed.get() == due), "event " + event + " is processed");
            }
            assertTrue(Await.until(Await.PATIENCE, () -> isAtRest(pool)), "the threads come to rest");
            return shares(pool);
        }
    }

    @Test
    void fairPoolGivesEachThreadTheSameShare() {
        List<Long> shares = sharesOfEventsAtRest(PoolConfig.fair("fair", THREADS), 40 * THREADS);
        assertEquals(THREADS, shares.size());
        assertTrue(shares.stream().allMatch(share -> share == 40), shares.toString());
    }

    @Test
    void lifoGivesEveryEventToTheTwoThreadsThatCameLast() {
        List<Long> shares =
                sharesOfEventsAtRest(PoolConfig.of("warm", THREADS).withPromotion(Promotion.eager()), 40 * THREADS);
        assertEquals(List.of(20L * THREADS, 20L * THREADS, 0L, 0L, 0L, 0L), shares);
    }

    /** Handles that never run dry: whoever waits is kept waiting by all the others, who come back at once. */
    private List<Long> sharesUnderFire(PoolConfig config, long events) throws InterruptedException {
        List<MemoryHandle> handles = new ArrayList<>();
        for (int i = 0; i < 2 * THREADS; i++) {
            handles.add(handle("handle " + i));
        }
        CountDownLatch done = new CountDownLatch(1);
        CountDownLatch begin = new CountDownLatch(1);
        TestThread producer = TestThread.start("producer", () -> {
            begin.await();
            while (done.getCount() > 0) {
                handles.forEach(handle -> set.produce(handle, 4));
                LockSupport.parkNanos(20_000);
            }
        });
        try (LeaderFollowersPool pool = new LeaderFollowersPool(set, config)) {
            pool.start();
            begin.countDown();
            assertTrue(Await.until(Await.PATIENCE, () -> pool.counters().processed() >= events), "it goes on");
            Await.until(Await.PATIENCE, () -> isFair(shares(pool)));
            List<Long> shares = shares(pool);
            done.countDown();
            producer.join();
            return shares;
        }
    }

    /** An equal share is a sixth; the scheduler takes what it likes, but to nobody it leaves almost nothing. */
    private static boolean isFair(List<Long> shares) {
        long sum = shares.stream().mapToLong(Long::longValue).sum();
        return shares.get(THREADS - 1) > sum / THREADS / 4;
    }

    /**
     * A thread that stands still in a handler, because its CPU was taken away, has its turn with all the others as soon as it
     * comes back, and catches up; one that starves never does.
     */
    @Test
    void nobodyStarvesInAFairPoolUnderFire() throws InterruptedException {
        List<Long> shares = sharesUnderFire(PoolConfig.fair("fair", THREADS), 30_000);
        assertTrue(isFair(shares), shares.toString());
    }
}
