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

    /** The second thread leads after a takeover, and the watcher watches. */
    private void takeOver(String... names) {
        fixture.join(names);
        fixture.report(fixture.slow("first", fixture.gate()));
        fixture.advance(LOOK_NS);
        fixture.advance(LOOK_NS);
        assertEquals(ThreadState.LEADER, fixture.state(names[1]));
        assertEquals(1, fixture.pool.counters().takeovers());
        settle();
    }

    private void settle() {
        fixture.time.await("the watcher rests", () -> wait.watcher() != null && fixture.time.rests(wait.watcher()));
        fixture.settle();
    }

    private void awaitLog(String entry) {
        fixture.time.await(entry, () -> fixture.log.contains(entry));
        settle();
    }

    @Test
    void standbyTakesOverFromALeaderThatDoesNotHarvestWithoutALookByTimer() {
        takeOver("a", "b", "c");
        fixture.report(fixture.slow("second", fixture.gate()));
        assertEquals(1, fixture.pool.counters().takeovers());
        fixture.set.report(fixture.quick("behind"));
        awaitLog("behind by c");
        assertEquals(2, fixture.pool.counters().takeovers());
    }

    @Test
    void leaderThatIsRunnableHarvestsItself() {
        takeOver("a", "b", "c");
        Gate second = fixture.gate();
        fixture.report(fixture.slow("second", second));
        fixture.time.takeUnparked();
        wait.whenItGivesWay(() -> {
            second.open();
            fixture.time.await("the leader has harvested", () -> fixture.log.contains("behind by b"));
        });
        fixture.set.report(fixture.quick("behind"));
        awaitLog("behind by b");
        assertEquals(1, fixture.pool.counters().takeovers());
        assertFalse(fixture.time.takeUnparked().contains("c"), "there was no need of a hint");
    }

    @Test
    void thereIsNoWatcherBeforeTheFirstAlert() {
        fixture.join("a", "b");
        fixture.report(fixture.quick("quick"));
        fixture.advance(LOOK_NS);
        assertNull(wait.watcher());
        assertEquals(0, wait.timesOpened());
    }

    @Test
    void watcherRestsFromTheEndOfTheAlertToTheNextAlert() {
        takeOver("a", "b", "c", "d");
        assertFalse(fixture.time.restsWithoutTimer(wait.watcher()));
        fixture.advance(Math.max(ALERT_NS, IdleWatcher.WAIT_NS));
        settle();
        assertTrue(fixture.time.restsWithoutTimer(wait.watcher()));

        fixture.report(fixture.slow("second", fixture.gate()));
        fixture.set.report(fixture.quick("behind"));
        fixture.advance(LOOK_NS - 1);
        assertEquals(1, fixture.pool.counters().takeovers(), "no alert, so no hint");
        fixture.advance(1);
        fixture.advance(LOOK_NS);
        awaitLog("behind by d");
        assertFalse(fixture.time.restsWithoutTimer(wait.watcher()), "another takeover, another alert");
        assertEquals(1, wait.timesOpened());
    }

    /** Nobody can take over, so the watcher must not use up the time of the CPU. */
    @Test
    void watcherPausesWhereNobodyFollows() {
        takeOver("a", "b");
        fixture.report(fixture.slow("second", fixture.gate()));
        fixture.set.report(fixture.quick("behind"));
        for (int pause = 0; pause < 3; pause++) {
            settle(); // in vain if the watcher looked without a pause
            fixture.advance(IdleWatcher.PAUSE_NS);
        }
        assertEquals(List.of("first begun by a", "second begun by b"), fixture.log);
    }

    @Test
    void watcherRestsForAWhileWhenOthersKeepItOffTheCpu() {
        takeOver("a", "b", "c");
        fixture.report(fixture.slow("second", fixture.gate()));
        fixture.time.atNextUnpark(() -> fixture.time.advance(IdleWatcher.STARVED_NS + 1));
        fixture.set.report(fixture.quick("behind"));
        awaitLog("behind by c");
        fixture.report(fixture.slow("third", fixture.gate()));
        fixture.join("d");
        fixture.set.report(fixture.quick("behind the third"));
        settle();
        assertEquals(2, fixture.pool.counters().takeovers(), "the watcher rests, whatever there is");
        fixture.advance(LOOK_NS);
        fixture.advance(LOOK_NS);
        awaitLog("behind the third by d");
    }

    @Test
    void standbyLooksByTimerWhereTheKernelRefusesTheLowestPriority() {
        wait.refuse(new IOException("sched_setscheduler: EPERM"));
        fixture.join("a", "b", "c", "d");
        fixture.report(fixture.slow("first", fixture.gate()));
        fixture.advance(LOOK_NS);
        fixture.advance(LOOK_NS);
        fixture.time.await("the watcher has ended", () -> wait.timesClosed() == 1);
        for (String leader : List.of("b", "d")) {
            fixture.report(fixture.slow("next", fixture.gate()));
            fixture.advance(LOOK_NS);
            fixture.advance(LOOK_NS);
            assertEquals(ThreadState.PROCESSING, fixture.state(leader));
        }
        assertEquals(3, fixture.pool.counters().takeovers());
        assertEquals(1, wait.timesOpened(), "the kernel is asked once");
    }

    @Test
    void watcherEndsWithThePool() {
        takeOver("a", "b");
        Thread watcher = wait.watcher();
        fixture.close();
        assertFalse(watcher.isAlive());
        assertEquals(1, wait.timesClosed());
    }
}
