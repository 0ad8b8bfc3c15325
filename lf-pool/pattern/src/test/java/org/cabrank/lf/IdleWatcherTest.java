package org.cabrank.lf;

import static org.cabrank.lf.PoolFixture.GAP_NS;
import static org.cabrank.lf.PoolFixture.LOOK_NS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import org.cabrank.lf.observe.ThreadState;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The thread of the lowest priority that sees that a blocked leader does not harvest. */
@Timeout(60)
class IdleWatcherTest {
    private static final long ALERT_NS = 64 * GAP_NS;

    private final PoolFixture fixture = PoolFixture.deferred(4);
    private final FakeIdleWait wait = fixture.set.giveIdleWait();

    @AfterEach
    void close() {
        fixture.close();
    }

    /** The second thread leads after a takeover from the first, which follows again. */
    private void takeOver(String... names) {
        fixture.join(names);
        Gate first = fixture.gate();
        fixture.report(fixture.slow("first", first));
        fixture.advance(LOOK_NS);
        fixture.advance(LOOK_NS);
        assertEquals(ThreadState.LEADER, fixture.state(names[1]));
        assertEquals(1, fixture.pool.counters().takeovers());
        fixture.open(first);
    }

    /** The watcher watches in an alert. */
    private void takeOverWatched(String... names) {
        takeOver(names);
        settle();
        fixture.time.takeUnparked();
    }

    private void settle() {
        fixture.time.await("the watcher rests", () -> wait.watcher() != null && fixture.time.rests(wait.watcher()));
        fixture.settle();
    }

    private void block(String name) {
        fixture.report(fixture.slow(name, fixture.gate()));
    }

    /** An event that the leader, which is blocked, does not harvest. */
    private void reportBehind(String name) {
        fixture.set.report(fixture.quick(name));
        settle();
    }

    /** The watcher has given way, perhaps for an event that was harvested, and looks whether the leader has gone on. */
    private void giveWay() {
        for (int times = 0; times < 3; times++) {
            fixture.time.advance(FakeIdleWait.GIVE_WAY_NS);
            settle();
        }
    }

    private boolean isLogged(String begin) {
        return List.copyOf(fixture.log).stream().anyMatch(entry -> entry.startsWith(begin));
    }

    private void awaitLog(String begin) {
        fixture.time.await(begin, () -> isLogged(begin));
        settle();
    }

    @Test
    void standbyTakesOverFromALeaderThatDoesNotHarvestWithoutALookByTimer() {
        takeOverWatched("a", "b", "c");
        block("second");
        reportBehind("behind");
        assertEquals(1, fixture.pool.counters().takeovers());
        giveWay();
        awaitLog("behind by ");
        assertEquals(2, fixture.pool.counters().takeovers());
    }

    @Test
    void leaderThatIsRunnableHarvestsItself() {
        takeOverWatched("a", "b", "c");
        Gate second = fixture.gate();
        fixture.report(fixture.slow("second", second));
        reportBehind("behind");
        fixture.time.takeUnparked();
        second.open();
        awaitLog("behind by b");
        giveWay();
        assertEquals(1, fixture.pool.counters().takeovers());
        assertEquals(List.of(), fixture.time.takeUnparked(), "there was no need of a hint");
    }

    @Test
    void thereIsNoWatcherBeforeALeaderWasDeposed() {
        fixture.join("a", "b");
        fixture.report(fixture.quick("quick"));
        fixture.advance(LOOK_NS);
        assertNull(wait.watcher());
        assertEquals(0, wait.timesOpened());
    }

    @Test
    void watcherRestsFromTheEndOfTheAlertToTheNextAlert() {
        takeOverWatched("a", "b", "c", "d");
        assertFalse(fixture.time.restsWithoutTimer(wait.watcher()));
        fixture.advance(Math.max(ALERT_NS, IdleWatcher.WAIT_NS));
        settle();
        assertTrue(fixture.time.restsWithoutTimer(wait.watcher()));

        block("second");
        reportBehind("behind");
        fixture.advance(LOOK_NS - 1);
        assertEquals(1, fixture.pool.counters().takeovers(), "no alert, so no hint");
        fixture.advance(1);
        fixture.advance(LOOK_NS);
        awaitLog("behind by ");
        assertFalse(fixture.time.restsWithoutTimer(wait.watcher()), "another takeover, another alert");
        assertEquals(1, wait.timesOpened());
    }

    @Test
    void interruptDoesNotKeepTheWatcherFromResting() {
        takeOverWatched("a", "b", "c");
        fixture.time.interrupt(wait.watcher());
        fixture.advance(Math.max(ALERT_NS, IdleWatcher.WAIT_NS));
        settle();
        assertTrue(fixture.time.restsWithoutTimer(wait.watcher()));
    }

    /** Nobody can take over, so the watcher must not use up the time of the CPU. */
    @Test
    void watcherPausesWhereNobodyFollows() {
        takeOverWatched("a", "b");
        block("second");
        reportBehind("third");
        giveWay();
        fixture.set.report(fixture.slow("blocks the last", fixture.gate()));
        fixture.time.await("all are blocked", () -> isLogged("blocks the last begun"));
        fixture.set.report(fixture.quick("behind"));
        for (int pause = 0; pause < 3; pause++) {
            settle(); // in vain if the watcher looked without a pause
            fixture.time.advance(IdleWatcher.PAUSE_NS);
        }
        assertFalse(isLogged("behind by "));
    }

    /** With early promotion, or after promoteNewLeader, nobody leads while all threads are in handlers. */
    @Test
    void watcherPausesWhereNobodyLeads() {
        fixture.join("a", "b");
        Gate first = fixture.gate();
        fixture.report(fixture.slow("first", first));
        fixture.advance(LOOK_NS);
        fixture.advance(LOOK_NS);
        fixture.open(first);
        settle();
        Gate second = fixture.gate();
        fixture.report(promoting("second", second));
        fixture.report(promoting("third", fixture.gate()));
        fixture.set.report(fixture.quick("behind"));
        for (int pause = 0; pause < 3; pause++) {
            settle(); // in vain if the watcher looked without a pause
            fixture.time.advance(IdleWatcher.PAUSE_NS);
        }
        fixture.open(second);
        awaitLog("behind by ");
    }

    private FakeHandle promoting(String name, Gate gate) {
        return fixture.set.register(name, (handle, ready) -> {
            fixture.pool.promoteNewLeader();
            gate.pass();
        });
    }

    @Test
    void watcherRestsForAWhileWhenOthersKeepItOffTheCpu() {
        takeOverWatched("a", "b", "c");
        block("second");
        giveWay(); // for the event that was harvested
        reportBehind("behind");
        fixture.time.advance(IdleWatcher.STARVED_NS + 1); // instead of a microsecond
        awaitLog("behind by ");
        block("third");
        long before = fixture.pool.counters().takeovers();
        fixture.set.report(fixture.quick("last"));
        settle();
        giveWay();
        assertEquals(before, fixture.pool.counters().takeovers(), "the watcher rests, whatever there is");
        assertFalse(isLogged("last by "));
        fixture.advance(LOOK_NS);
        fixture.advance(LOOK_NS);
        awaitLog("last by ");
    }

    @Test
    void standbyLooksByTimerWhereTheKernelRefusesTheLowestPriority() {
        wait.refuse(new IOException("sched_setscheduler: EPERM"));
        takeOver("a", "b", "c", "d");
        fixture.time.await(
                "the watcher has ended",
                () -> wait.watcher() != null && !wait.watcher().isAlive());
        for (int takeovers = 2; takeovers <= 3; takeovers++) {
            block("blocked " + takeovers);
            fixture.advance(LOOK_NS);
            fixture.advance(LOOK_NS);
            assertEquals(takeovers, fixture.pool.counters().takeovers());
        }
        assertEquals(1, wait.timesOpened(), "the kernel is asked once");
    }

    @Test
    void watcherEndsWithThePool() {
        takeOverWatched("a", "b");
        fixture.close();
        fixture.time.await("the watcher has ended", () -> !wait.watcher().isAlive());
    }

    /** All threads of the pool may have left by time-out, so no thread of the pool ends the watcher. */
    @Test
    void watcherThatRestsEndsWithThePool() {
        takeOverWatched("a", "b");
        fixture.advance(Math.max(ALERT_NS, IdleWatcher.WAIT_NS));
        settle();
        fixture.close();
        fixture.time.await("the watcher has ended", () -> !wait.watcher().isAlive());
    }
}
