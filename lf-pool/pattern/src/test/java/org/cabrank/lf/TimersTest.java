package org.cabrank.lf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.cabrank.lf.dispatch.Dispatcher;
import org.cabrank.lf.handle.Handle;
import org.cabrank.lf.handle.HandleSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One-shot and periodic timers, in virtual time whose clock wraps around. */
@Timeout(300)
@Tag("newest") // on an older JDK in a soak only
class TimersTest {
    private static final Duration PERIOD = Duration.ofNanos(1_000);

    private PoolFixture fixture = PoolFixture.eager(3);
    private Timers timers = new Timers(fixture.set);
    private final long startNs = fixture.set.nanoTime();

    @AfterEach
    void close() {
        fixture.close();
    }

    private static Duration ns(long ns) {
        return Duration.ofNanos(ns);
    }

    /** Writes when it was called, in ns since the beginning. */
    private TimerHandler telling(String name) {
        return timer -> fixture.log.add(name + " at " + (fixture.set.nanoTime() - startNs));
    }

    /** A leader that has not begun to wait yet would measure its wait from the clock's new time. */
    private void advance(long ns) {
        fixture.advance(ns);
    }

    private void advanceTo(long ns) {
        advance(ns - (fixture.set.nanoTime() - startNs));
    }

    // ---- one-shot ----

    @Test
    void oneShotTimerExpiresOnceAtItsTimeAndLeavesTheSet() {
        fixture.join("a");
        Timer timer = timers.after(ns(500), telling("timer"));
        fixture.awaitIdle();
        assertEquals(500, fixture.set.lastTimeoutNs());
        assertTrue(timer.isActive());
        advance(499);
        assertEquals(List.of(), fixture.log);
        advance(1);
        assertEquals(List.of("timer at 500"), fixture.log);
        assertFalse(timer.isActive());
        assertEquals(0, fixture.set.handleCount());
        advance(10_000);
        assertEquals(1, fixture.log.size());
        assertEquals(1, timer.runs());
        assertEquals(HandleSet.FOREVER, fixture.set.lastTimeoutNs());
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1, Long.MIN_VALUE})
    void timerWithoutDelayExpiresAsSoonAsAThreadIsFree(long delayNs) {
        fixture.join("a");
        timers.after(ns(delayNs), telling("timer"));
        fixture.awaitIdle();
        assertEquals(List.of("timer at 0"), fixture.log);
    }

    @Test
    void delayBeyondAllBoundsNeitherOverflowsNorExpires() {
        fixture.join("a");
        timers.after(Duration.ofSeconds(Long.MAX_VALUE), telling("late"));
        timers.every(Duration.ofSeconds(Long.MAX_VALUE), telling("late"));
        timers.after(ns(10), telling("early"));
        advance(1_000_000_000_000L);
        assertEquals(1, fixture.log.size());
    }

    /** One of the clock's values stands for "no deadline". */
    @Test
    void deadlineThatLooksLikeNoneIsOneNanosecondLater() {
        long delayNs = Handle.NO_DEADLINE - startNs;
        fixture.join("a");
        timers.after(ns(delayNs), telling("timer"));
        advance(delayNs);
        assertEquals(List.of(), fixture.log);
        advance(1);
        assertEquals(1, fixture.log.size());
    }

    @Test
    void timersOfOneSetRunAtTheSameTime() {
        fixture.join("a", "b", "c");
        Gate gate = fixture.gate();
        timers.after(ns(100), timer -> {
            fixture.log.add("slow");
            gate.pass();
        });
        timers.after(ns(100), timer -> fixture.log.add("quick"));
        advance(100);
        assertEquals(Set.of("slow", "quick"), Set.copyOf(fixture.log), "while the first is at the gate");
    }

    // ---- periodic ----

    @Test
    void periodicTimerKeepsItsRate() {
        fixture.join("a");
        Timer timer = timers.every(ns(100), PERIOD, telling("timer"));
        advanceTo(100);
        advanceTo(1_100);
        advanceTo(2_110); // somewhat late, which delays this call and no other
        advanceTo(3_099);
        assertEquals(List.of("timer at 100", "timer at 1100", "timer at 2110"), fixture.log);
        advanceTo(3_100);
        assertEquals(4, fixture.log.size());
        assertEquals(4, timer.runs());
        assertEquals(0, timer.missed());
        assertTrue(timer.isActive());
    }

    @Test
    void firstCallComesAfterOnePeriodUnlessItIsSaid() {
        fixture.join("a");
        timers.every(PERIOD, telling("timer"));
        advanceTo(999);
        assertEquals(List.of(), fixture.log);
        advanceTo(1_000);
        assertEquals(List.of("timer at 1000"), fixture.log);
    }

    @Test
    void lateTimerRunsOnceForAllThatItHasMissedAndFindsItsRateAgain() {
        fixture.join("a");
        Timer timer = timers.every(PERIOD, telling("timer"));
        advanceTo(5_300);
        assertEquals(List.of("timer at 5300"), fixture.log);
        assertEquals(4, timer.missed());
        advanceTo(5_999);
        assertEquals(1, fixture.log.size());
        advanceTo(6_000);
        assertEquals(List.of("timer at 5300", "timer at 6000"), fixture.log);
        assertEquals(4, timer.missed());
    }

    @Test
    void callThatOutlastsItsPeriodIsFollowedByOneForAllThatHavePassed() {
        fixture.join("a", "b");
        Gate gate = fixture.gate();
        Timer timer = timers.every(PERIOD, each -> {
            telling("timer").timerExpired(each);
            gate.pass();
        });
        advanceTo(1_000);
        advanceTo(4_500);
        assertEquals(List.of("timer at 1000"), fixture.log, "one call at a time");
        fixture.open(gate);
        assertEquals(List.of("timer at 1000", "timer at 4500"), fixture.log);
        assertEquals(2, timer.missed());
        advanceTo(5_000);
        assertEquals(3, fixture.log.size());
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1, Long.MIN_VALUE})
    void periodMustBePositive(long periodNs) {
        assertThrows(IllegalArgumentException.class, () -> timers.every(ns(periodNs), telling("timer")));
        assertEquals(0, fixture.set.handleCount());
    }

    // ---- cancel ----

    @Test
    void cancelledTimerDoesNotRunAndLeavesTheSet() {
        fixture.join("a");
        Timer once = timers.after(ns(500), telling("once"));
        Timer periodic = timers.every(ns(500), telling("periodic"));
        fixture.awaitIdle();
        assertTrue(once.cancel());
        assertTrue(periodic.cancel());
        assertFalse(once.cancel());
        assertFalse(periodic.cancel());
        assertFalse(periodic.isActive());
        fixture.awaitIdle();
        assertEquals(0, fixture.set.handleCount());
        assertEquals(HandleSet.FOREVER, fixture.set.lastTimeoutNs());
        advance(10_000);
        assertEquals(List.of(), fixture.log);
    }

    /** The leader has seen the deadline pass, and no thread has run the timer yet. */
    @Test
    void timerThatIsDueCanStillBeCancelled() {
        fixture.join("a");
        Gate gate = fixture.gate();
        fixture.report(fixture.slow("slow", gate));
        Timer once = timers.after(ns(100), telling("once"));
        Timer periodic = timers.every(ns(100), telling("periodic"));
        FakeHandle second = fixture.set.register("second", (handle, ready) -> {
            assertTrue(once.cancel());
            assertTrue(periodic.cancel());
            fixture.log.add("cancelled");
        });
        fixture.set.report(second);
        advance(100);
        fixture.open(gate);
        assertEquals(List.of("slow begun by a", "slow ended by a", "cancelled"), fixture.log);
        assertEquals(0, once.runs() + periodic.runs());
        assertEquals(2, fixture.set.handleCount());
    }

    @Test
    void cancelWhileItRunsPreventsTheNextCallIfThereIsOne() {
        fixture.join("a", "b", "c");
        Gate gate = fixture.gate();
        Timer once = timers.after(ns(100), timer -> gate.pass());
        Timer periodic = timers.every(ns(100), timer -> gate.pass());
        advance(100);
        assertFalse(once.cancel());
        assertTrue(periodic.cancel());
        assertFalse(periodic.cancel());
        fixture.open(gate);
        advance(1_000);
        assertEquals(1, once.runs());
        assertEquals(1, periodic.runs());
        assertEquals(0, fixture.set.handleCount());
    }

    @Test
    void timerMayCancelItself() {
        fixture.join("a");
        timers.after(ns(100), timer -> fixture.log.add("once " + timer.cancel()));
        Timer periodic = timers.every(ns(100), timer -> fixture.log.add("periodic " + timer.cancel()));
        advance(100);
        advance(1_000);
        assertEquals(List.of("once false", "periodic true"), fixture.log);
        assertFalse(periodic.isActive());
        assertEquals(0, fixture.set.handleCount());
    }

    // ---- ends ----

    @Test
    void periodicTimerGoesOnAfterAFailureWhichIsCounted() {
        fixture.join("a");
        Timer timer = timers.every(PERIOD, each -> {
            throw new IOException("thrown by a timer on purpose");
        });
        advanceTo(1_000);
        advanceTo(2_000);
        assertEquals(2, timer.runs());
        assertEquals(2, timer.failures());
        assertEquals(2, fixture.pool.counters().failures());
        assertTrue(timer.isActive());
    }

    @Test
    void timersEndWithTheirSetWhichTakesNoOthers() {
        fixture.join("a");
        Timer timer = timers.every(PERIOD, telling("timer"));
        fixture.close();
        assertFalse(timer.isActive());
        assertFalse(timer.cancel());
        assertThrows(IllegalStateException.class, () -> timers.after(PERIOD, telling("timer")));
    }

    // ---- many ----

    @Test
    void aHundredThousandTimersExpireInTheirOrder() {
        int count = 100_000;
        Random random = new Random(42);
        List<Long> expired = new ArrayList<>();
        List<Timer> cancelled = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            long delayNs = 1 + random.nextInt(1_000);
            Timer timer = timers.after(ns(delayNs), each -> expired.add(delayNs));
            if (i % 10 == 0) {
                cancelled.add(timer);
            }
        }
        cancelled.forEach(timer -> assertTrue(timer.cancel()));
        fixture.join("a");
        for (int step = 0; step < 10; step++) {
            advance(100);
        }
        assertEquals(count - cancelled.size(), expired.size());
        for (int i = 1; i < expired.size(); i++) {
            assertTrue(expired.get(i - 1) <= expired.get(i), "out of order at " + i);
        }
        assertEquals(0, fixture.set.handleCount());
    }

    /** All are due at once: the leader looks at the kernel in between. */
    @Test
    void manyDueTimersDoNotKeepEventsFromBeingSeen() {
        int count = 10 * Dispatcher.EXPIRED_MAX;
        int[] expired = {0};
        int[] seenAfter = {-1};
        FakeHandle handle = fixture.set.register("handle", (h, ready) -> seenAfter[0] = expired[0]);
        for (int i = 0; i < count; i++) {
            timers.after(ns(100), timer -> {
                if (expired[0]++ == 0) {
                    fixture.set.report(handle);
                }
            });
        }
        fixture.time.advance(100);
        fixture.join("a");
        assertEquals(count, expired[0]);
        assertEquals(Dispatcher.EXPIRED_MAX, seenAfter[0]);
    }
}
