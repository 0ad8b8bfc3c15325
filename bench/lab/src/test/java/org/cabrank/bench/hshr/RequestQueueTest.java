package org.cabrank.bench.hshr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.cabrank.bench.fixture.NewestJdk;
import org.cabrank.bench.handler.BusyWork;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@NewestJdk
@Timeout(300)
final class RequestQueueTest {

    private static final long WAIT_S = 60;
    private static final int HANDED = Long.getLong("cabrank.soak.seconds") == null ? 6_000 : 60_000;

    private final List<Thread> started = new ArrayList<>();
    private RequestQueue<Integer> queue;

    private void start(int capacity, int workers, long spinNs, Consumer<Integer> each) {
        Thread[] threads = new Thread[workers];
        RequestQueue<Integer> created = new RequestQueue<>(capacity, threads, spinNs);
        for (int i = 0; i < workers; i++) {
            int number = i;
            threads[i] = new Thread(
                    () -> {
                        for (Integer item = created.take(number); item != null; item = created.take(number)) {
                            each.accept(item);
                        }
                    },
                    "worker-" + i);
        }
        queue = created;
        for (Thread thread : threads) {
            thread.start();
            started.add(thread);
        }
    }

    @AfterEach
    void closingEndsEveryWorker() throws InterruptedException {
        queue.close();
        for (Thread thread : started) {
            thread.join(TimeUnit.SECONDS.toMillis(WAIT_S));
            assertTrue(!thread.isAlive(), thread + " is still there");
        }
    }

    private void awaitParked(Thread thread) {
        while (thread.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
    }

    @ParameterizedTest
    @CsvSource({"1, 0", "3, 0", "3, 20000", "65, 0"})
    void whatIsPutIsTakenOnce(int workers, long spinNs) throws InterruptedException {
        int items = 10_000;
        AtomicInteger[] taken = new AtomicInteger[items];
        CountDownLatch all = new CountDownLatch(items);
        for (int i = 0; i < items; i++) {
            taken[i] = new AtomicInteger();
        }
        start(64, workers, spinNs, item -> {
            taken[item].incrementAndGet();
            all.countDown();
        });
        for (int i = 0; i < items; i++) {
            queue.put(i);
        }
        assertTrue(all.await(WAIT_S, TimeUnit.SECONDS), all.getCount() + " were never taken");
        for (AtomicInteger times : taken) {
            assertEquals(1, times.get());
        }
    }

    /** One at a time, each put a little later after the last item was taken: somewhere there the worker lies down. */
    @ParameterizedTest
    @CsvSource({"1, 0", "2, 0", "4, 0", "2, 3000", "4, 3000"})
    void noWakeUpIsLost(int workers, long spinNs) {
        AtomicInteger taken = new AtomicInteger(-1);
        start(8, workers, spinNs, taken::set);
        for (int i = 0; i < HANDED; i++) {
            queue.put(i);
            long start = System.nanoTime();
            while (taken.get() != i) {
                assertTrue(System.nanoTime() - start < TimeUnit.SECONDS.toNanos(WAIT_S), "item " + i + " lies there");
                Thread.onSpinWait();
            }
            BusyWork pause = new BusyWork(i % 300);
            pause.perform();
        }
    }

    /** The one that is woken sees that there is more, and wakes the next before it begins. */
    @ParameterizedTest
    @ValueSource(ints = {2, 3, 8})
    void aWorkerThatBlocksHoldsUpNobodyElse(int workers) throws InterruptedException {
        CountDownLatch busyAtOnce = new CountDownLatch(workers);
        start(64, workers, 0, item -> {
            busyAtOnce.countDown();
            try {
                assertTrue(busyAtOnce.await(WAIT_S, TimeUnit.SECONDS));
            } catch (InterruptedException ended) {
                Thread.currentThread().interrupt();
            }
        });
        started.forEach(this::awaitParked);
        for (int i = 0; i < workers; i++) {
            queue.put(i);
        }
        assertTrue(busyAtOnce.await(WAIT_S, TimeUnit.SECONDS), busyAtOnce.getCount() + " workers sleep on");
    }

    @Test
    void oneWorkerIsWokenForOneItem() throws InterruptedException {
        AtomicReference<String> busy = new AtomicReference<>();
        start(8, 4, 0, item -> busy.set(Thread.currentThread().getName()));
        for (int i = 0; i < 200; i++) {
            started.forEach(this::awaitParked);
            queue.put(i);
            while (busy.get() == null) {
                Thread.onSpinWait();
            }
            assertEquals("worker-0", busy.getAndSet(null));
        }
    }

    @Test
    void theProducerWaitsWhileTheQueueIsFull() throws InterruptedException {
        CountDownLatch go = new CountDownLatch(1);
        LinkedBlockingQueue<Integer> taken = new LinkedBlockingQueue<>();
        start(4, 1, 0, item -> {
            try {
                assertTrue(go.await(WAIT_S, TimeUnit.SECONDS));
            } catch (InterruptedException ended) {
                Thread.currentThread().interrupt();
            }
            taken.add(item);
        });
        RequestQueue<Integer> full = queue;
        Thread producer = new Thread(() -> {
            for (int i = 0; i < 20; i++) {
                full.put(i);
            }
        });
        producer.start();
        awaitParked(producer);
        LockSupport.unpark(producer); // without a reason
        awaitParked(producer);
        assertEquals(0, taken.size());
        go.countDown();
        for (int i = 0; i < 20; i++) {
            assertEquals(i, taken.poll(WAIT_S, TimeUnit.SECONDS));
        }
        producer.join();
        assertTrue(queue.fullCount() >= 1, "full " + queue.fullCount());
    }

    @Test
    void whatIsLeftIsTakenAfterClosing() {
        queue = new RequestQueue<>(8, new Thread[1], 0);
        queue.put(1);
        queue.put(2);
        queue.close();
        assertEquals(1, queue.take(0));
        assertEquals(2, queue.take(0));
        assertNull(queue.take(0));
    }
}
