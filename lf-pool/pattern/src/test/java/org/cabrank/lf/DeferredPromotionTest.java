package org.cabrank.lf;

import static org.cabrank.lf.PoolFixture.GAP_NS;
import static org.cabrank.lf.PoolFixture.LOOK_NS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.cabrank.lf.handle.Ready;
import org.cabrank.lf.leadership.LeaderWatch;
import org.cabrank.lf.leadership.LeadershipWord;
import org.cabrank.lf.observe.ThreadState;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The leader processes events itself, and the watcher has a follower take over when one takes too long. */
@Timeout(300)
class DeferredPromotionTest {
    /** Pause of the watcher after a takeover from a leader that was blocked. */
    private static final long ALERT_LOOK_NS = GAP_NS / 16;

    private final PoolFixture fixture = PoolFixture.deferred(4);
    private final Gate gate = fixture.gate();

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void shortHandlerCostsNoPromotion() {
        fixture.join("a", "b");
        FakeHandle handle = fixture.quick("quick");
        for (int i = 0; i < 100; i++) {
            fixture.report(handle);
        }
        assertEquals(100, fixture.log.stream().filter("quick by a"::equals).count());
        assertEquals(0, fixture.pool.counters().promotions());
        assertEquals(0, fixture.pool.counters().takeovers());
        assertEquals(ThreadState.LEADER, fixture.state("a"));
    }

    /** Each thread as NAME STATE, and whether leadership is its. */
    private List<String> threads() {
        return fixture.pool.threads().stream()
                .map(thread -> thread.name() + " " + thread.state() + (thread.owner() ? " owner" : ""))
                .toList();
    }

    @Test
    void threadsTellWhoseLeadershipIs() {
        fixture.join("a", "b", "c");
        assertEquals(List.of("a LEADER owner", "b FOLLOWER", "c FOLLOWER"), threads());
        fixture.report(fixture.slow("slow", gate));
        assertEquals(List.of("a PROCESSING owner", "b FOLLOWER", "c FOLLOWER"), threads());
        fixture.advance(LOOK_NS);
        assertEquals(List.of("a PROCESSING", "b FOLLOWER", "c LEADER owner"), threads());
    }

    @Test
    void leaderThatWaitsIsReplacedAtTheNextLook() {
        fixture.join("a", "b");
        fixture.report(fixture.slow("slow", gate));
        fixture.advance(LOOK_NS - 1);
        assertEquals(ThreadState.FOLLOWER, fixture.state("b"));
        fixture.advance(1);
        assertEquals(ThreadState.PROCESSING, fixture.state("a"));
        assertEquals(ThreadState.LEADER, fixture.state("b"));
        assertEquals(1, fixture.pool.counters().takeovers());
    }

    @Test
    void leaderThatComputesIsReplacedAfterHalfAGapAndNotBefore() {
        fixture.join("a", "b");
        fixture.time.computes("a");
        fixture.report(fixture.slow("slow", gate));
        fixture.advance(LOOK_NS);
        assertEquals(ThreadState.FOLLOWER, fixture.state("b"), "one look cannot tell how long the event takes");
        fixture.advance(LOOK_NS - 1);
        assertEquals(ThreadState.FOLLOWER, fixture.state("b"));
        fixture.advance(1);
        assertEquals(ThreadState.PROCESSING, fixture.state("a"));
        assertEquals(ThreadState.LEADER, fixture.state("b"));
        assertEquals(1, fixture.pool.counters().takeovers());
    }

    @Test
    void leaderThatIsBlockedInASystemCallIsReplacedAfterHalfAGapAndTheNextAtTheNextLook() {
        fixture.join("a", "b", "c");
        fixture.time.isInTheKernel("a");
        fixture.time.isInTheKernel("c");
        Gate second = fixture.gate();
        fixture.report(fixture.slow("slow", gate), fixture.slow("slower", second));
        fixture.advance(LOOK_NS);
        assertEquals(ThreadState.FOLLOWER, fixture.state("c"), "the kernel is not asked");
        fixture.advance(LOOK_NS);
        assertEquals(ThreadState.PROCESSING, fixture.state("c"));
        fixture.advance(ALERT_LOOK_NS);
        assertEquals(ThreadState.LEADER, fixture.state("b"));
    }

    @Test
    void afterALeaderThatWasBlockedTheWatcherLooksSixteenTimesInAGap() {
        fixture.join("a", "b", "c");
        fixture.report(fixture.slow("slow", gate));
        fixture.advance(LOOK_NS);
        assertEquals(ThreadState.LEADER, fixture.state("c"));
        fixture.report(fixture.slow("slower", fixture.gate()));
        fixture.advance(ALERT_LOOK_NS - 1);
        assertEquals(ThreadState.FOLLOWER, fixture.state("b"));
        fixture.advance(1);
        assertEquals(ThreadState.LEADER, fixture.state("b"));
        assertEquals(2, fixture.pool.counters().takeovers());
    }

    @Test
    void afterARestForWantOfFollowersTheWatcherStillLooksSixteenTimesInAGap() {
        fixture.join("a", "b");
        fixture.report(fixture.slow("slow", gate));
        fixture.advance(LOOK_NS);
        fixture.advance(ALERT_LOOK_NS);
        assertTrue(fixture.watcherRestsWithoutTimer());
        fixture.open(gate);
        fixture.report(fixture.slow("slower", fixture.gate()));
        fixture.advance(ALERT_LOOK_NS);
        assertEquals(ThreadState.LEADER, fixture.state("a"));
    }

    /** It may have been preempted by the watcher itself. */
    @Test
    void afterATakeoverALeaderThatComputesStillHasHalfAGap() {
        fixture.join("a", "b", "c");
        fixture.time.computes("c");
        Gate second = fixture.gate();
        fixture.report(fixture.slow("slow", gate), fixture.slow("slower", second));
        fixture.advance(LOOK_NS);
        assertEquals(ThreadState.PROCESSING, fixture.state("c"));
        for (int i = 0; i < 8; i++) {
            assertEquals(ThreadState.FOLLOWER, fixture.state("b"), "look " + i);
            fixture.advance(ALERT_LOOK_NS);
        }
        fixture.advance(ALERT_LOOK_NS); // c may have begun behind the watcher's look at the time of the takeover
        assertEquals(ThreadState.LEADER, fixture.state("b"));
        assertEquals(2, fixture.pool.counters().takeovers());
    }

    /** Looks that come soon after one another would take the processor from the leaders that want it. */
    @Test
    void afterALeaderThatComputedTheWatcherLooksNoMoreOftenThanBefore() {
        fixture.join("a", "b", "c");
        fixture.time.computes("a");
        fixture.report(fixture.slow("slow", gate));
        fixture.advance(LOOK_NS);
        fixture.advance(LOOK_NS);
        assertEquals(ThreadState.LEADER, fixture.state("c"), "deposed for its time");
        fixture.report(fixture.slow("slower", fixture.gate())); // behind the look that follows a takeover at once
        fixture.advance(LOOK_NS - 1);
        assertEquals(ThreadState.FOLLOWER, fixture.state("b"));
        fixture.advance(1);
        assertEquals(ThreadState.LEADER, fixture.state("b"));
    }

    @Test
    void whenNothingHasBlockedForAWhileTheWatcherLooksTwiceInAGapAgain() {
        fixture.join("a", "b");
        fixture.report(fixture.slow("slow", gate));
        fixture.advance(LOOK_NS);
        fixture.open(gate);
        fixture.report(fixture.quick("quick"));
        fixture.advance(64 * GAP_NS);
        fixture.report(fixture.slow("slower", fixture.gate()));
        fixture.advance(LOOK_NS - 1);
        assertEquals(ThreadState.FOLLOWER, fixture.state("a"));
        fixture.advance(1);
        assertEquals(ThreadState.LEADER, fixture.state("a"));
    }

    @Test
    void watcherThatComesLateToItsLookStillNeedsTwoForALeaderThatComputes() {
        fixture.join("a", "b");
        fixture.time.computes("a");
        fixture.report(fixture.slow("slow", gate));
        fixture.advance(10 * GAP_NS);
        assertEquals(ThreadState.FOLLOWER, fixture.state("b"));
        fixture.advance(LOOK_NS);
        assertEquals(ThreadState.LEADER, fixture.state("b"));
    }

    @Test
    void newLeaderGoesOnWithTheReadyListWithoutDetectingAnew() {
        fixture.join("a", "b");
        FakeHandle slow = fixture.slow("slow", gate);
        int[] awaitsAtRest = new int[1];
        FakeHandle rest = fixture.set.register("rest", (handle, ready) -> {
            awaitsAtRest[0] = fixture.set.awaits();
            fixture.log.add("rest by " + Thread.currentThread().getName());
        });
        fixture.report(slow, rest);
        int awaits = fixture.set.awaits();
        assertEquals(List.of("slow begun by a"), fixture.log);
        fixture.advance(LOOK_NS);
        assertEquals(List.of("slow begun by a", "rest by b"), fixture.log);
        assertEquals(awaits, awaitsAtRest[0]);
    }

    @Test
    void differentShortEventsAreNotMistakenForOneLongOne() {
        fixture.join("a", "b");
        fixture.time.computes("a");
        FakeHandle handle = fixture.quick("quick");
        for (int i = 0; i < 50; i++) {
            Gate each = fixture.gate();
            FakeHandle paused = fixture.slow("paused", each);
            fixture.report(paused);
            fixture.advance(LOOK_NS); // the look comes while an event is processed, another one each time
            fixture.open(each);
            fixture.report(handle);
        }
        assertEquals(0, fixture.pool.counters().takeovers());
    }

    @Test
    void deposedLeaderBecomesFollower() {
        fixture.join("a", "b", "c");
        fixture.report(fixture.slow("slow", gate));
        fixture.advance(LOOK_NS);
        fixture.open(gate);
        assertEquals(
                Map.of("a", ThreadState.FOLLOWER, "b", ThreadState.FOLLOWER, "c", ThreadState.LEADER),
                fixture.states());
        assertEquals(List.of("slow begun by a", "slow ended by a"), fixture.log);
    }

    @Test
    void whenEveryThreadIsSlowTheFirstToComeBackGoesOn() {
        fixture.join("a", "b");
        Gate second = fixture.gate();
        fixture.report(fixture.slow("slow", gate), fixture.slow("slower", second), fixture.quick("quick"));
        fixture.advance(LOOK_NS);
        fixture.advance(LOOK_NS);
        assertEquals(List.of("slow begun by a", "slower begun by b"), fixture.log);
        fixture.advance(10 * GAP_NS);
        fixture.open(second);
        assertEquals(List.of("slow begun by a", "slower begun by b", "slower ended by b", "quick by b"), fixture.log);
    }

    /** Two orders of one moment: the leader ends its event, the watcher deposes it. */
    @Test
    void exactlyOneWinsWhenTheHandlerEndsAtTheMomentOfTakeover() {
        LeadershipWord word = new LeadershipWord();
        word.tryLead(1);
        long begun = word.beginProcessingRelease();
        assertTrue(word.endProcessing(begun));
        assertFalse(word.depose(begun, 2), "the event has ended");
        assertEquals(1, LeadershipWord.owner(word.wordAcquire()));

        begun = word.beginProcessingRelease();
        assertTrue(word.depose(begun, 2));
        assertFalse(word.endProcessing(begun), "it was deposed");
        assertEquals(2, LeadershipWord.owner(word.wordAcquire()));
    }

    private void idleUntilTheWatcherRests() {
        for (int look = 0; look < LeaderWatch.IDLE_LOOKS_MAX; look++) {
            fixture.advance(LOOK_NS);
            assertFalse(fixture.watcherRestsWithoutTimer(), "after " + look + " idle looks");
        }
        fixture.advance(LOOK_NS);
    }

    @Test
    void watcherRestsAfterSomeIdleLooks() {
        fixture.join("a", "b");
        idleUntilTheWatcherRests();
        assertTrue(fixture.watcherRestsWithoutTimer());
    }

    @Test
    void firstEventAfterIdlenessWakesTheWatcher() {
        fixture.join("a", "b");
        idleUntilTheWatcherRests();
        fixture.report(fixture.slow("slow", gate));
        assertFalse(fixture.watcherRestsWithoutTimer());
        fixture.advance(LOOK_NS);
        assertEquals(ThreadState.LEADER, fixture.state("b"));
    }

    /** The event comes when the watcher has decided to rest but does not rest yet. */
    @Test
    void eventAtTheMomentOfTheRestStillWakesTheWatcher() {
        fixture.join("a", "b");
        FakeHandle slow = fixture.slow("slow", gate);
        fixture.time.beforeTheWatcherRests(() -> {
            fixture.set.report(slow);
            gate.awaitEntered();
        });
        idleUntilTheWatcherRests();
        assertEquals(List.of("slow begun by a"), fixture.log);
        assertFalse(fixture.watcherRestsWithoutTimer());
        fixture.advance(LOOK_NS);
        assertEquals(ThreadState.LEADER, fixture.state("b"));
    }

    /** The posted list is taken before a wait and after it, so the successor processes a post without a wait of its own. */
    @Test
    void postThatTheSuccessorOfABrokenWaitProcessesWakesTheWatcher() {
        fixture.join("a", "b", "c");
        FakeHandle slow = fixture.slow("slow", gate);
        idleUntilTheWatcherRests();
        fixture.time.change(() -> {
            fixture.set.breakWith(new InternalError("thrown on purpose"));
            slow.post(Ready.POSTED);
        });
        fixture.awaitIdle();
        assertEquals(List.of("slow begun by c"), fixture.log);
        boolean rests = fixture.watcherRestsWithoutTimer();
        fixture.advance(LOOK_NS);
        ThreadState successor = fixture.state("a"); // follows again, the last that came
        assertFalse(rests);
        assertEquals(ThreadState.LEADER, successor);
    }

    /** As on one CPU: the thread that was woken runs before the watcher goes on, and is blocked by then. */
    @Test
    void successorThatIsBlockedWhenTheWatcherGoesOnIsReplacedWithoutAPause() {
        fixture.join("a", "b", "c");
        Gate second = fixture.gate();
        fixture.report(fixture.slow("slow", gate), fixture.slow("slower", second));
        fixture.time.behindNextUnpark(second::awaitEntered);
        fixture.advance(LOOK_NS);
        assertEquals(List.of("slow begun by a", "slower begun by c"), fixture.log);
        assertEquals(ThreadState.LEADER, fixture.state("b"));
    }

    /** Nobody could take over, however long the handler takes. */
    @Test
    void watcherRestsWhileNobodyFollows() {
        fixture.join("a", "b");
        fixture.report(fixture.slow("slow", gate), fixture.slow("slower", fixture.gate()));
        fixture.advance(LOOK_NS);
        assertEquals(List.of("slow begun by a", "slower begun by b"), fixture.log);
        fixture.advance(LOOK_NS);
        assertTrue(fixture.watcherRestsWithoutTimer());
        fixture.open(gate);
        assertEquals(ThreadState.LEADER, fixture.state("a"), "replaces the blocked leader at once");
    }

    /** Guests alone serve the pool, and the last of them has left meanwhile. */
    @Test
    void watcherOfGuestsEndsWithThePool() {
        fixture.join("a", "b");
        assertNotNull(fixture.watcher.thread());
        fixture.pool.stop();
        fixture.awaitTerminated();
        fixture.time.await("the watcher has ended", () -> fixture.watcher.thread() == null);
    }

    @Test
    void idlePoolIsNotTakenOver() {
        fixture.join("a", "b");
        fixture.advance(100 * GAP_NS);
        fixture.advance(100 * GAP_NS);
        assertEquals(ThreadState.LEADER, fixture.state("a"));
        assertEquals(0, fixture.pool.counters().takeovers());
    }
}
