package org.cabrank.socket.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Events;
import org.cabrank.lf.TaskQueue;
import org.cabrank.lf.Timer;
import org.cabrank.lf.Timers;
import org.cabrank.lf.fixture.Await;
import org.cabrank.lf.fixture.TestThread;
import org.cabrank.lf.handle.EventHandler;
import org.cabrank.lf.handle.Handle;
import org.cabrank.lf.handle.Ready;
import org.cabrank.socket.DescriptorHandle;
import org.junit.jupiter.api.Test;

/** Concurrent handles, and work that comes from other threads and from timers, where the set really waits for events. */
public abstract class ConcurrencyContract extends DescriptorContract {

    /** Each read takes one of what was added. */
    private int semaphore() throws IOException {
        return Errno.check(
                "eventfd", kernel.eventfd(0, Events.EFD_NONBLOCK | Events.EFD_CLOEXEC | Events.EFD_SEMAPHORE));
    }

    private boolean takeOne(Handle handle) {
        int result = kernel.read(((DescriptorHandle) handle).fd(), kernel.addressOf(eight()), Long.BYTES);
        assertTrue(result == Long.BYTES || result == -Errno.EAGAIN, () -> "read: " + result);
        return result == Long.BYTES;
    }

    /** No thread gets past the barrier alone. */
    @Test
    void twoThreadsAreInsideOneConcurrentHandle() throws Exception {
        assumeTrue(mode.threads() > 1, "one thread is never two");
        CyclicBarrier bothInside = new CyclicBarrier(2);
        AtomicInteger taken = new AtomicInteger();
        int fd = semaphore();
        Handle handle = set.registerConcurrent(fd, Ready.READ, (own, ready) -> {
            if (takeOne(own)) {
                own.post(Ready.READ);
                bothInside.await(Await.PATIENCE_NS, TimeUnit.NANOSECONDS);
                taken.incrementAndGet();
            }
        });
        assertTrue(handle.isConcurrent());
        serve();
        for (int i = 1; i <= 20; i++) {
            int expected = 2 * i;
            signal(fd);
            signal(fd);
            Await.until("both have come", () -> taken.get() == expected);
        }
    }

    /** Whatever the deactivation of other handles. */
    @Test
    void concurrentHandleStaysArmed() throws Exception {
        AtomicInteger taken = new AtomicInteger();
        int fd = semaphore();
        set.registerConcurrent(fd, Ready.READ, (own, ready) -> {
            while (takeOne(own)) {
                taken.incrementAndGet();
            }
        });
        serve();
        for (int i = 1; i <= 100; i++) {
            int expected = i;
            signal(fd);
            Await.until("signal " + i + " was taken", () -> taken.get() == expected);
        }
    }

    @Test
    void concurrentHandleIsClosedWhenTheLastThreadHasLeft() throws Exception {
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch leave = new CountDownLatch(1);
        AtomicInteger running = new AtomicInteger();
        AtomicInteger closedWith = new AtomicInteger(-1);
        int fd = semaphore();
        Handle handle = set.registerConcurrent(fd, Ready.READ, new EventHandler() {
            @Override
            public void handleEvent(Handle own, int ready) throws InterruptedException {
                running.incrementAndGet();
                inside.countDown();
                leave.await();
                running.decrementAndGet();
            }

            @Override
            public void handleClosed(Handle own, Throwable cause) {
                closedWith.set(running.get());
            }
        });
        serve();
        signal(fd);
        inside.await();
        handle.close();
        assertEquals(-1, closedWith.get());
        leave.countDown();
        Await.until("it is closed", () -> closedWith.get() == 0);
    }

    /** Each post may find the leader awake, falling asleep or asleep in the kernel. */
    @Test
    void tasksOfOtherThreadsAreRunThoughNothingBecomesReady() throws Exception {
        int producers = 2;
        int each = 2_000;
        AtomicInteger run = new AtomicInteger();
        serve();
        try (TaskQueue queue = new TaskQueue(set, "tasks", producers * each)) {
            List<TestThread> threads = new ArrayList<>();
            for (int i = 0; i < producers; i++) {
                threads.add(TestThread.start("producer " + i, () -> {
                    for (int task = 0; task < each; task++) {
                        queue.execute(run::incrementAndGet);
                    }
                }));
            }
            for (TestThread producer : threads) {
                producer.join();
            }
            Await.until("all were run", () -> run.get() == producers * each);
            for (int i = 1; i <= 50; i++) { // one by one, so that the leader sleeps in between
                int expected = producers * each + i;
                queue.execute(run::incrementAndGet);
                Await.until("task " + i + " was run", () -> run.get() == expected);
            }
        }
    }

    /** A timer's deadline ends the wait of a leader that waits without a timeout. */
    @Test
    void timersFireThoughNothingBecomesReady() throws Exception {
        AtomicInteger once = new AtomicInteger();
        AtomicInteger again = new AtomicInteger();
        AtomicInteger never = new AtomicInteger();
        serve();
        Timers timers = new Timers(set);
        Timer cancelled = timers.after(Duration.ofMinutes(10), timer -> never.incrementAndGet());
        long begunNs = System.nanoTime();
        timers.after(Duration.ofMillis(20), timer -> once.incrementAndGet());
        Timer periodic = timers.every(Duration.ofMillis(2), timer -> again.incrementAndGet());
        assertTrue(cancelled.cancel());
        Await.until("it fired", () -> once.get() == 1);
        assertTrue(System.nanoTime() - begunNs >= 20_000_000, "not before its time");
        Await.until("it fires again and again", () -> again.get() >= 10);
        periodic.cancel();
        assertEquals(1, once.get());
        assertEquals(0, never.get());
    }

    @Test
    void timersAndEventsOfOneHandleComeTogether() throws Exception {
        AtomicInteger timers = new AtomicInteger();
        Counting counting = new Counting();
        int fd = eventFd();
        Handle handle = set.register(fd, Ready.READ, (own, ready) -> {
            if ((ready & Ready.TIMER) != 0 && timers.incrementAndGet() < 50) {
                own.scheduleTimer(set.nanoTime() + 200_000);
            }
            if ((ready & Ready.READ) != 0) {
                counting.handleEvent(own, ready);
            }
        });
        serve();
        handle.scheduleTimer(set.nanoTime());
        for (int i = 1; i <= 50; i++) {
            int expected = i;
            signal(fd);
            Await.until("signal " + i + " was counted", () -> counting.sum.get() == expected);
        }
        Await.until("every timer has fired", () -> timers.get() == 50);
    }
}
