package org.cabrank.lf;

import static org.cabrank.lf.PoolFixture.GAP_NS;
import static org.cabrank.lf.PoolFixture.LOOK_NS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.cabrank.lf.leadership.Followers;
import org.cabrank.lf.leadership.LeadershipWait;
import org.cabrank.lf.leadership.LeadershipWord;
import org.cabrank.lf.leadership.Parking;
import org.cabrank.lf.observe.ThreadState;
import org.cabrank.lf.observe.ThreadStatus;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The leader processes events itself, and the standby takes over when one takes too long. */
@Timeout(60)
class DeferredPromotionTest {
    /** Pause of the standby after a takeover from a leader that was blocked. */
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

    /** Each thread as NAME STATE, and whether leadership is its, and whether it stands by. */
    private List<String> threads() {
        return fixture.pool.threads().stream()
                .map(thread -> thread.name() + " " + thread.state() + (thread.owner() ? " owner" : "")
                        + (thread.standby() ? " standby" : ""))
                .toList();
    }

    @Test
    void threadsTellWhoseLeadershipIsAndWhoStandsBy() {
        fixture.join("a", "b", "c");
        String standby = fixture.pool.threads().stream()
                .filter(ThreadStatus::standby)
                .map(ThreadStatus::name)
                .findFirst()
                .orElseThrow();
        String other = standby.equals("b") ? "c" : "b";
        assertTrue(
                threads().containsAll(List.of("a LEADER owner", standby + " FOLLOWER standby", other + " FOLLOWER")),
                () -> threads().toString());
        fixture.report(fixture.slow("slow", gate));
        assertTrue(threads().contains("a PROCESSING owner"), () -> threads().toString());
        fixture.advance(LOOK_NS);
        fixture.advance(LOOK_NS);
        assertTrue(
                threads().containsAll(List.of("a PROCESSING", standby + " LEADER owner", other + " FOLLOWER standby")),
                () -> threads().toString());
    }

    @Test
    void standbyTakesOverAfterMaxGapAndNotBeforeItsHalf() {
        fixture.join("a", "b");
        fixture.report(fixture.slow("slow", gate));
        fixture.advance(LOOK_NS - 1);
        assertEquals(ThreadState.FOLLOWER, fixture.state("b"));
        fixture.advance(1);
        assertEquals(ThreadState.PROCESSING, fixture.state("a"));
        assertEquals(ThreadState.FOLLOWER, fixture.state("b"), "one look cannot tell how long the event takes");
        fixture.advance(LOOK_NS);
        assertEquals(ThreadState.PROCESSING, fixture.state("a"));
        assertEquals(ThreadState.LEADER, fixture.state("b"));
        assertEquals(1, fixture.pool.counters().takeovers());
    }

    @Test
    void afterATakeoverTheStandbyLooksSixteenTimesInAGap() {
        fixture.join("a", "b", "c");
        fixture.time.sleeps("a");
        Gate second = fixture.gate();
        fixture.report(fixture.slow("slow", gate), fixture.slow("slower", second));
        fixture.advance(LOOK_NS);
        fixture.advance(LOOK_NS);
        fixture.advance(ALERT_LOOK_NS);
        assertEquals(ThreadState.FOLLOWER, fixture.state("c"), "b is blocked, which Java does not know");
        fixture.advance(ALERT_LOOK_NS);
        assertEquals(ThreadState.LEADER, fixture.state("c"));
    }

    @Test
    void afterATakeoverTheStandbyLooksHalfAsOftenAtALeaderThatIsAlwaysBusy() {
        fixture.join("a", "b", "c");
        fixture.time.sleeps("a");
        fixture.report(fixture.slow("slow", gate));
        fixture.advance(LOOK_NS);
        fixture.advance(LOOK_NS);
        assertEquals(ThreadState.LEADER, fixture.state("b"));
        for (int look = 0; look < LeadershipWait.BUSY_LOOKS; look++) {
            Gate each = fixture.gate();
            fixture.report(fixture.slow("each", each));
            fixture.advance(ALERT_LOOK_NS);
            fixture.open(each);
        }
        fixture.report(fixture.slow("slower", fixture.gate()));
        fixture.time.sleeps("b");
        fixture.advance(ALERT_LOOK_NS);
        assertEquals(ThreadState.PROCESSING, fixture.state("b"));
        assertEquals(ThreadState.FOLLOWER, fixture.state("c"));
        fixture.advance(ALERT_LOOK_NS);
        assertEquals(ThreadState.LEADER, fixture.state("c"));
    }

    @Test
    void afterATakeoverFromALeaderInASystemCallOneLookIsEnoughAtTheNextInASystemCall() {
        fixture.join("a", "b", "c");
        Gate second = fixture.gate();
        fixture.report(fixture.slow("slow", gate), fixture.slow("slower", second));
        fixture.advance(LOOK_NS);
        fixture.advance(LOOK_NS);
        assertEquals(ThreadState.PROCESSING, fixture.state("b"));
        fixture.advance(ALERT_LOOK_NS);
        assertEquals(ThreadState.LEADER, fixture.state("c"), "the kernel says that b is blocked");
    }

    @Test
    void afterATakeoverOneLookIsEnoughAtALeaderThatSleeps() {
        fixture.join("a", "b", "c");
        fixture.time.sleeps("a");
        fixture.time.sleeps("b");
        Gate second = fixture.gate();
        fixture.report(fixture.slow("slow", gate), fixture.slow("slower", second));
        fixture.advance(LOOK_NS);
        assertEquals(ThreadState.FOLLOWER, fixture.state("b"), "there has been no takeover: it may sleep shortly");
        fixture.advance(LOOK_NS);
        assertEquals(ThreadState.PROCESSING, fixture.state("b"));
        fixture.advance(ALERT_LOOK_NS - 1);
        assertEquals(ThreadState.FOLLOWER, fixture.state("c"));
        fixture.advance(1);
        assertEquals(ThreadState.LEADER, fixture.state("c"));
        assertEquals(2, fixture.pool.counters().takeovers());
    }

    /** It may have been preempted by the standby itself: what blocks is taken over early, and nothing else. */
    @Test
    void afterATakeoverALeaderThatComputesStillHasHalfAGap() {
        fixture.join("a", "b", "c");
        fixture.time.computes("b");
        Gate second = fixture.gate();
        fixture.report(fixture.slow("slow", gate), fixture.slow("slower", second));
        fixture.advance(LOOK_NS);
        fixture.advance(LOOK_NS);
        assertEquals(ThreadState.PROCESSING, fixture.state("b"));
        for (int i = 0; i < 8; i++) {
            fixture.advance(ALERT_LOOK_NS);
            assertEquals(ThreadState.FOLLOWER, fixture.state("c"), "look " + i);
        }
        fixture.advance(ALERT_LOOK_NS);
        assertEquals(ThreadState.LEADER, fixture.state("c"));
        assertEquals(2, fixture.pool.counters().takeovers());
    }

    /** Looks that come soon after one another would take the processor from the leaders that want it. */
    @Test
    void afterATakeoverFromALeaderThatComputedTheStandbyLooksNoMoreOftenThanBefore() {
        fixture.join("a", "b", "c");
        fixture.time.computes("a");
        Gate second = fixture.gate();
        fixture.report(fixture.slow("slow", gate), fixture.slow("slower", second));
        fixture.advance(LOOK_NS);
        fixture.advance(LOOK_NS);
        assertEquals(ThreadState.PROCESSING, fixture.state("b"), "deposed for its time");
        for (int look = 1; look < 16; look++) {
            fixture.advance(ALERT_LOOK_NS);
            assertEquals(
                    ThreadState.FOLLOWER, fixture.state("c"), "b is blocked for " + look + " sixteenths of the gap");
        }
        fixture.advance(ALERT_LOOK_NS);
        assertEquals(ThreadState.LEADER, fixture.state("c"));
    }

    @Test
    void whenNothingWasSlowForAWhileTheStandbyLooksTwiceInAGapAgain() {
        fixture.join("a", "b");
        fixture.report(fixture.slow("slow", gate));
        fixture.advance(LOOK_NS);
        fixture.advance(LOOK_NS);
        fixture.open(gate);
        fixture.advance(64 * GAP_NS);
        Gate second = fixture.gate();
        fixture.report(fixture.slow("slower", second));
        fixture.advance(ALERT_LOOK_NS);
        fixture.advance(ALERT_LOOK_NS);
        assertEquals(ThreadState.FOLLOWER, fixture.state("a"));
        fixture.advance(LOOK_NS);
        fixture.advance(LOOK_NS);
        assertEquals(ThreadState.LEADER, fixture.state("a"));
    }

    @Test
    void standbyThatComesLateToItsLookStillNeedsTwo() {
        fixture.join("a", "b");
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
        fixture.advance(LOOK_NS);
        assertEquals(List.of("slow begun by a"), fixture.log);
        fixture.advance(LOOK_NS);
        assertEquals(List.of("slow begun by a", "rest by b"), fixture.log);
        assertEquals(awaits, awaitsAtRest[0]);
    }

    @Test
    void differentShortEventsAreNotMistakenForOneLongOne() {
        fixture.join("a", "b");
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
        fixture.advance(LOOK_NS);
        fixture.open(gate);
        assertEquals(
                Map.of("a", ThreadState.FOLLOWER, "b", ThreadState.LEADER, "c", ThreadState.FOLLOWER),
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

    /** Two orders of one moment: the leader ends its event, the standby deposes it. */
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

    @Test
    void nextFollowerBecomesStandbyWhenTheStandbyHasTakenOver() {
        fixture.join("a", "b", "c");
        Gate second = fixture.gate();
        fixture.report(fixture.slow("slow", gate), fixture.slow("slower", second));
        fixture.advance(LOOK_NS);
        fixture.advance(LOOK_NS);
        assertEquals(ThreadState.PROCESSING, fixture.state("b"));
        fixture.advance(LOOK_NS);
        fixture.advance(LOOK_NS);
        assertEquals(ThreadState.LEADER, fixture.state("c"));
        assertEquals(2, fixture.pool.counters().takeovers());
    }

    private void idleUntilTheStandbySleeps() {
        for (int look = 0; look < LeadershipWait.IDLE_LOOKS_MAX; look++) {
            fixture.advance(LOOK_NS);
            assertFalse(fixture.sleepsWithoutTimer("b"), "after " + look + " idle looks");
        }
        fixture.advance(LOOK_NS);
    }

    @Test
    void standbySleepsWithoutATimerAfterSomeIdleLooks() {
        fixture.join("a", "b");
        idleUntilTheStandbySleeps();
        assertTrue(fixture.sleepsWithoutTimer("b"));
    }

    @Test
    void firstEventAfterIdlenessWakesTheStandby() {
        fixture.join("a", "b");
        idleUntilTheStandbySleeps();
        fixture.report(fixture.slow("slow", gate));
        assertFalse(fixture.sleepsWithoutTimer("b"));
        fixture.advance(LOOK_NS);
        fixture.advance(LOOK_NS);
        assertEquals(ThreadState.LEADER, fixture.state("b"));
    }

    /** The event comes when the standby has decided to sleep but does not sleep yet. */
    @Test
    void eventAtTheMomentTheStandbyFallsAsleepStillWakesIt() {
        fixture.join("a", "b");
        FakeHandle slow = fixture.slow("slow", gate);
        fixture.time.beforeTheStandbySleeps(() -> {
            fixture.set.report(slow);
            gate.awaitEntered();
        });
        idleUntilTheStandbySleeps();
        assertEquals(List.of("slow begun by a"), fixture.log);
        assertFalse(fixture.sleepsWithoutTimer("b"));
        fixture.advance(LOOK_NS);
        fixture.advance(LOOK_NS);
        assertEquals(ThreadState.LEADER, fixture.state("b"));
    }

    /** The other side of it: the leader has left its wait before the standby announces that it sleeps. */
    @Test
    void standbyDoesNotSleepWhenTheLeaderIsNoLongerIdle() {
        LeadershipWord word = new LeadershipWord();
        int[] parks = new int[1];
        Parking counting = new Parking() {
            @Override
            public long nanoTime() {
                return 0;
            }

            @Override
            public void park(Object blocker, long nanos) {
                parks[0]++;
            }

            @Override
            public void unpark(Thread thread) {}
        };
        Followers followers =
                new Followers(new LeadershipWord[] {word}, PromotionOrder.lifo().newQueue(null), counting, true);
        followers.leadOrFollow(new Member(1, new Thread(), 1));
        word.beginDetectingRelease();
        Member standby = new Member(2, Thread.currentThread(), 1);
        followers.leadOrFollow(standby);
        standby.view.sawBefore(0, word.wordAcquire());
        followers.sleepAsStandby(standby, HandleSet.FOREVER, fixture.pool.phase());
        assertEquals(1, parks[0]);
        word.endDetectingVolatile();
        followers.sleepAsStandby(standby, HandleSet.FOREVER, fixture.pool.phase());
        assertEquals(1, parks[0]);
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
