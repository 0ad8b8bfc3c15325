package org.cabrank.lf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.cabrank.lf.fixture.Await;
import org.cabrank.lf.observe.BlockedHandler;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The watchdog over real pools: in virtual time, and in real time where virtual time is not enough. */
@Timeout(300)
class WatchdogTest {
    private static final Duration LIMIT = Duration.ofMillis(40);
    private static final long LOOK_NS = LIMIT.toNanos() / 4;

    private final List<BlockedHandler> reports = Collections.synchronizedList(new ArrayList<>());
    private PoolFixture fixture;
    private Watchdog watchdog;

    private void watch(int threads, boolean eager) {
        fixture = eager ? PoolFixture.eager(threads) : PoolFixture.deferred(threads);
        watchdog = new Watchdog(LIMIT, reports::add, problem -> {}, fixture.time);
        watchdog.watch(fixture.pool);
        awaitIdleWatchdog();
    }

    private void awaitIdleWatchdog() {
        fixture.time.await("the watchdog rests", () -> fixture.time.rests(watchdog.thread()));
    }

    private void lookTimes(int looks) {
        for (int i = 0; i < looks; i++) {
            fixture.advance(LOOK_NS);
            awaitIdleWatchdog();
        }
    }

    @AfterEach
    void close() {
        if (fixture != null) {
            watchdog.close();
            fixture.close();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void blockedHandlerIsReportedWithItsPoolThreadHandleAndStack(int threads) {
        watch(threads, false);
        fixture.join(List.of("a", "b", "c").subList(0, threads).toArray(String[]::new));
        Gate gate = fixture.gate();
        fixture.report(fixture.slow("slow", gate));
        lookTimes(4);
        assertEquals(0, watchdog.blockedHandlers(), "the first of these looks saw it first");
        lookTimes(1);
        assertEquals(1, watchdog.blockedHandlers());
        BlockedHandler report = reports.get(0);
        assertEquals("test", report.pool());
        assertEquals(fixture.participant("a").thread, report.thread());
        assertEquals("slow", report.handle());
        assertEquals(LIMIT, report.blockedFor());
        assertTrue(
                report.stack().stream().anyMatch(call -> call.getClassName().equals(Gate.class.getName())),
                report::describe);
        fixture.open(gate);
        lookTimes(20);
        assertEquals(1, watchdog.blockedHandlers(), "idle threads are not blocked");
    }

    @Test
    void blockedHandlerIsFoundUnderEagerPromotionToo() {
        watch(2, true);
        fixture.join("a", "b");
        fixture.report(fixture.slow("slow", fixture.gate()), fixture.slow("slower", fixture.gate()));
        lookTimes(5);
        assertEquals(2, watchdog.blockedHandlers());
    }

    @Test
    void poolThatHasTerminatedIsForgottenAndAnotherCanBeWatched() {
        watch(2, false);
        fixture.join("a", "b");
        assertThrows(IllegalStateException.class, () -> watchdog.watch(fixture.pool), "twice");
        fixture.pool.stop();
        fixture.awaitTerminated();
        lookTimes(1);
        assertTrue(fixture.time.restsWithoutTimer(watchdog.thread()), "there is nothing to look at");
        try (PoolFixture other = PoolFixture.deferred(1)) {
            watchdog.watch(other.pool);
            fixture.time.await(
                    "it looks again",
                    () -> fixture.time.rests(watchdog.thread()) && !fixture.time.restsWithoutTimer(watchdog.thread()));
        }
    }

    @Test
    void interruptDoesNotEndTheWatchdog() {
        watch(1, false);
        fixture.join("a");
        fixture.time.interrupt(watchdog.thread());
        fixture.time.await("the interrupt was taken", () -> !watchdog.thread().isInterrupted());
        awaitIdleWatchdog();
        fixture.report(fixture.slow("slow", fixture.gate()));
        lookTimes(5);
        assertEquals(1, watchdog.blockedHandlers());
    }

    @Test
    void setThatNoThreadWatchesIsReportedWhenItBeginsAndAgainAfterItHadPassed() {
        List<String> problems = Collections.synchronizedList(new ArrayList<>());
        fixture = PoolFixture.deferred(1);
        watchdog = new Watchdog(
                LIMIT, reports::add, problem -> problems.add(problem.kind() + " " + problem.set()), fixture.time);
        watchdog.watch(fixture.pool);
        awaitIdleWatchdog();
        lookTimes(12);
        assertEquals(List.of("NO_THREADS -1"), problems);
        fixture.join("a");
        lookTimes(6);
        Gate gate = fixture.gate();
        fixture.report(fixture.slow("slow", gate));
        lookTimes(12);
        assertEquals(List.of("NO_THREADS -1", "ALL_THREADS_BLOCKED -1"), problems);
        fixture.open(gate);
        lookTimes(1);
        fixture.report(fixture.slow("slow again", fixture.gate()));
        lookTimes(6);
        assertEquals(List.of("NO_THREADS -1", "ALL_THREADS_BLOCKED -1", "ALL_THREADS_BLOCKED -1"), problems);
        assertEquals(3, watchdog.livenessProblems());
    }

    @Test
    void watchdogOutlivesALackOfMemoryOfItsOwnAndOfItsConsumers() {
        fixture = PoolFixture.deferred(1);
        watchdog = new Watchdog(
                LIMIT,
                report -> {
                    throw new OutOfMemoryError("thrown by a consumer on purpose");
                },
                problem -> {
                    throw new InternalError("thrown by a consumer on purpose");
                },
                fixture.time);
        AtomicBoolean exhausted = new AtomicBoolean(true);
        watchdog.watch(new WatchedPool() {
            @Override
            public String name() {
                return "exhausting";
            }

            @Override
            public List<? extends WatchedPool.Progress> progress() {
                if (exhausted.get()) {
                    throw new OutOfMemoryError("thrown by a pool on purpose");
                }
                return List.of();
            }

            @Override
            public String describeWork(WatchedPool.Progress thread) {
                return "nothing";
            }

            @Override
            public boolean isTerminated() {
                return false;
            }
        });
        fixture.join("a");
        watchdog.watch(fixture.pool);
        awaitIdleWatchdog();
        lookTimes(2);
        assertTrue(watchdog.failures() > 0);
        exhausted.set(false);
        fixture.report(fixture.slow("slow", fixture.gate()));
        lookTimes(6);
        assertEquals(1, watchdog.blockedHandlers());
        assertEquals(1, watchdog.livenessProblems());
        assertTrue(watchdog.thread().isAlive());
    }

    @Test
    void closedWatchdogHasNoThreadAndTakesNoPool() {
        watch(1, false);
        watchdog.close();
        assertFalse(watchdog.thread().isAlive());
        watchdog.close();
        try (PoolFixture other = PoolFixture.deferred(1)) {
            assertEquals(
                    "the watchdog is closed",
                    assertThrows(IllegalStateException.class, () -> watchdog.watch(other.pool))
                            .getMessage());
        }
    }

    @Test
    void consumerMayCloseTheWatchdog() throws InterruptedException {
        AtomicBoolean stop = new AtomicBoolean();
        CountDownLatch reported = new CountDownLatch(1);
        Watchdog[] self = new Watchdog[1];
        try (RealPool pool = new RealPool(1)) {
            self[0] = Watchdog.start(Duration.ofMillis(1), handler -> {
                self[0].close();
                reported.countDown();
            });
            self[0].watch(pool.pool);
            pool.run(() -> Await.until(Await.PATIENCE, stop::get));
            assertTrue(reported.await(Await.PATIENCE.toSeconds(), TimeUnit.SECONDS));
            self[0].thread().join();
            stop.set(true);
        }
    }

    @Test
    void handlerThatSpinsIsFoundByTheClockOfTheSystem() throws InterruptedException {
        AtomicBoolean stop = new AtomicBoolean();
        CountDownLatch reported = new CountDownLatch(1);
        // The first stack may be one that leads to the handler, of a thread that stood still on its way there.
        try (Watchdog real = Watchdog.start(Duration.ofMillis(2), handler -> {
                    if (isOfThisTest(handler)) {
                        reported.countDown();
                    }
                });
                RealPool pool = new RealPool(1)) {
            assertEquals("cabrank-watchdog", real.thread().getName());
            assertTrue(real.thread().isDaemon());
            real.watch(pool.pool);
            pool.run(() -> {
                while (!stop.get()) {
                    Thread.onSpinWait();
                }
            });
            boolean found = reported.await(Await.PATIENCE.toSeconds(), TimeUnit.SECONDS);
            stop.set(true); // found or not: the pool's end waits for it
            assertTrue(found, "the handler was reported, with its stack");
        }
    }

    private static boolean isOfThisTest(BlockedHandler handler) {
        return handler.stack().stream().anyMatch(call -> call.getClassName().equals(WatchdogTest.class.getName()));
    }

    @Test
    void limitIsFromAMillisecondToADay() {
        assertThrows(IllegalArgumentException.class, () -> Watchdog.start(Duration.ofNanos(999_999)));
        assertThrows(IllegalArgumentException.class, () -> Watchdog.start(Duration.ofDays(2)));
    }
}
