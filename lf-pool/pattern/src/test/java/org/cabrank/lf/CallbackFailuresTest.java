package org.cabrank.lf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.cabrank.lf.fixture.Await;
import org.cabrank.lf.handle.Deactivation;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Failures of tasks and timers, their listeners, the limit of timers, and the stop with a limit. */
@Timeout(300)
class CallbackFailuresTest {
    private final MemoryHandleSet set = new MemoryHandleSet(Deactivation.CLAIM);
    private final LeaderFollowersPool pool = new LeaderFollowersPool(set, PoolConfig.of("test", 1));
    private final List<Throwable> told = new CopyOnWriteArrayList<>();
    private final CountDownLatch release = new CountDownLatch(1);

    @AfterEach
    void close() {
        release.countDown();
        pool.stopNow();
        assertTrue(Await.until(Await.PATIENCE, pool::isTerminated));
        set.close();
    }

    private static void overflow(int depth) {
        overflow(depth + 1);
    }

    @Test
    void listenerIsNotifiedOfEachTaskThatThrowsAndMayThrowItself() {
        TaskQueue queue = new TaskQueue(set, "queue", 8, (task, failure) -> {
            told.add(failure);
            throw new IllegalStateException("the listener fails on purpose");
        });
        List<String> ran = new CopyOnWriteArrayList<>();
        pool.start();
        queue.execute(() -> overflow(0));
        queue.execute(() -> {
            throw new OutOfMemoryError("on purpose");
        });
        queue.execute(() -> {
            throw new IllegalArgumentException("on purpose");
        });
        queue.execute(() -> ran.add("last"));
        assertTrue(Await.until(Await.PATIENCE, () -> !ran.isEmpty()));
        assertEquals(
                List.of(StackOverflowError.class, OutOfMemoryError.class, IllegalArgumentException.class),
                told.stream().map(Object::getClass).toList());
        assertTrue(Await.until(Await.PATIENCE, () -> queue.counters().run() == 4));
        assertEquals(3, queue.counters().failed());
        assertFalse(queue.isClosed());
        assertEquals(6, set.failures().count(), "three of tasks, three of the listener");
    }

    @Test
    void periodicTimerThatFailsIsCalledAgainAndItsListenerIsNotified() {
        Timers timers = new Timers(set, 1, (timer, failure) -> told.add(failure));
        pool.start();
        Timer timer = timers.every(Duration.ofNanos(1_000), each -> {
            if (each.runs() % 2 == 0) {
                overflow(0);
            }
            throw new OutOfMemoryError("on purpose");
        });
        assertTrue(Await.until(Await.PATIENCE, () -> told.size() >= 10));
        assertTrue(timer.isActive());
        assertTrue(timer.cancel());
        assertTrue(told.stream().anyMatch(StackOverflowError.class::isInstance));
        assertTrue(told.stream().anyMatch(OutOfMemoryError.class::isInstance));
    }

    @Test
    void timersBeyondTheLimitAreRefusedUntilOneHasLeft() {
        Timers timers = new Timers(set, 2, (timer, failure) -> {});
        Duration never = Duration.ofDays(1);
        Timer first = timers.after(never, timer -> {});
        timers.every(never, timer -> {});
        assertThrows(RejectedExecutionException.class, () -> timers.after(never, timer -> {}));
        assertEquals(1, timers.refused());
        assertEquals(1, set.queueFullCount());
        pool.start();
        first.cancel();
        assertTrue(Await.until(Await.PATIENCE, () -> timers.registered() == 1));
        timers.after(Duration.ZERO, timer -> {});
        assertTrue(Await.until(Await.PATIENCE, () -> timers.registered() == 1), "it has run");
        timers.after(never, timer -> {});
        assertThrows(IllegalArgumentException.class, () -> new Timers(set, 0, (timer, failure) -> {}));
    }

    @Test
    void timerThatCannotBeScheduledIsNoTimer() {
        AtomicBoolean refuses = new AtomicBoolean(true);
        Thread test = Thread.currentThread();
        PostOnlySet refusing = new PostOnlySet(() -> {
            if (Thread.currentThread() == test && refuses.get()) {
                throw new OutOfMemoryError("a wake-up fails on purpose");
            }
        });
        LeaderFollowersPool served = new LeaderFollowersPool(refusing, PoolConfig.of("served", 1));
        Timers timers = new Timers(refusing, 1, (timer, failure) -> {});
        served.start();
        List<String> ran = new CopyOnWriteArrayList<>();
        assertTrue(Await.until(Await.PATIENCE, () -> {
            try {
                timers.after(Duration.ofNanos(1), timer -> ran.add("scheduled"));
                assertTrue(Await.until(Await.PATIENCE, () -> timers.registered() == 0)); // the pool's thread was awake
                return false;
            } catch (OutOfMemoryError refused) {
                return true;
            }
        }));
        refuses.set(false);
        ran.clear();
        refusing.wakeup();
        assertTrue(Await.until(Await.PATIENCE, () -> timers.registered() == 0));
        timers.after(Duration.ZERO, timer -> ran.add("second"));
        assertTrue(Await.until(Await.PATIENCE, () -> timers.registered() == 0 && !ran.isEmpty()));
        assertEquals(List.of("second"), ran);
        served.close();
        refusing.close();
        assertEquals(0, timers.registered());
    }

    @Test
    void loggerAndListenerDoNotSeeTheInterruptThatATaskOrTimerLeaves() throws Exception {
        CountDownLatch over = new CountDownLatch(4);
        List<Boolean> seen = new CopyOnWriteArrayList<>();
        TaskQueue queue = new TaskQueue(set, "queue", 8, (task, failure) -> {
            seen.add(Thread.currentThread().isInterrupted());
            over.countDown();
        });
        Timers timers = new Timers(set, 8, (timer, failure) -> {
            seen.add(Thread.currentThread().isInterrupted());
            over.countDown();
        });
        pool.start();
        queue.execute(() -> {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("on purpose");
        });
        queue.execute(() -> sneak(new InterruptedException("on purpose")));
        timers.after(Duration.ZERO, timer -> {
            throw new InterruptedException("on purpose");
        });
        timers.after(Duration.ZERO, timer -> {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("on purpose");
        });
        assertTrue(over.await(120, TimeUnit.SECONDS));
        assertEquals(List.of(false, false, false, false), seen);
    }

    @SuppressWarnings("unchecked")
    private static <E extends Throwable> void sneak(Throwable failure) throws E {
        throw (E) failure;
    }

    @Test
    void stopWithALimitSaysWhetherAllWasDone() throws Exception {
        TaskQueue queue = new TaskQueue(set, "queue", 8);
        pool.start();
        List<String> ran = new CopyOnWriteArrayList<>();
        for (int i = 0; i < 5; i++) {
            queue.execute(() -> ran.add("task"));
        }
        assertTrue(pool.stop(Await.PATIENCE));
        assertEquals(5, ran.size());
        assertTrue(pool.isTerminated());
    }

    @Test
    void stopWithALimitStopsAtOnceWhenTheLimitHasPassed() throws Exception {
        TaskQueue queue = new TaskQueue(set, "queue", 8);
        pool.start();
        CountDownLatch begun = new CountDownLatch(1);
        queue.execute(() -> {
            begun.countDown();
            try {
                release.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        Runnable never = () -> told.add(new AssertionError("ran after the limit"));
        queue.execute(never);
        begun.await();
        assertFalse(pool.stop(Duration.ofMillis(20)));
        release.countDown();
        assertTrue(pool.awaitTermination(Await.PATIENCE));
        set.close();
        assertEquals(List.of(never), queue.unrun());
        assertEquals(List.of(), told);
    }

    @Test
    void stopWithALimitRunsTheTasksOfAPoolWithoutThreads() throws Exception {
        TaskQueue queue = new TaskQueue(set, "queue", 8);
        List<String> ran = new CopyOnWriteArrayList<>();
        queue.execute(() -> ran.add("task"));
        assertTrue(pool.stop(Await.PATIENCE));
        assertEquals(List.of("task"), ran);
    }

    /** Each wait ends at once, because the pool stops, and leaves the tasks behind to whoever serves the queue next. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void gracefulStopRunsTheTasksBehindThoseThatWait(boolean withThread) throws Exception {
        TaskQueue queue = new TaskQueue(set, "queue", 16);
        List<String> ran = new CopyOnWriteArrayList<>();
        if (withThread) {
            pool.start();
            queue.execute(() -> {
                try {
                    release.await();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            });
        }
        for (int i = 0; i < 10; i++) {
            queue.execute(() -> {
                ran.add("task");
                try {
                    pool.newReply().await(Duration.ofDays(1));
                } catch (Exception stopped) {
                    told.add(stopped);
                }
            });
        }
        if (withThread) {
            pool.stop();
            release.countDown();
        } else {
            pool.close();
        }
        assertTrue(pool.awaitTermination(Await.PATIENCE));
        assertEquals(10, ran.size());
        assertEquals(10, told.size());
        assertEquals(List.of(), queue.unrun());
    }
}
