package org.cabrank.lf;

import static org.cabrank.lf.PoolFixture.LOOK_NS;
import static org.cabrank.lf.PoolFixture.MAX_GAP;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.time.Duration;
import java.util.List;
import org.cabrank.lf.observe.ThreadState;
import org.cabrank.lf.observe.ThreadStatus;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Leadership of a set that prefers one leader goes back to the leader that was deposed. */
@Timeout(300)
class RegularLeaderTest {
    private static final Promotion DEFERRED = Promotion.deferred(MAX_GAP);

    private PoolFixture fixture =
            PoolFixture.withRegularLeader(PoolConfig.of("test", 4).withPromotion(DEFERRED));

    @AfterEach
    void close() {
        fixture.close();
    }

    private void use(PoolFixture other) {
        fixture.close();
        fixture = other;
    }

    /** The leader meets an event that outlasts a look of the watcher. */
    private Gate deposeLeader(String name) {
        Gate gate = fixture.gate();
        fixture.report(fixture.slow(name, gate));
        fixture.advance(LOOK_NS);
        return gate;
    }

    private void reportOneEvent() {
        fixture.report(fixture.quick("quick"));
    }

    @Test
    void deputyGivesLeadershipBackBeforeItsNextWait() {
        fixture.join("a", "b");
        Gate gate = deposeLeader("slow");
        assertEquals(ThreadState.LEADER, fixture.state("b"));
        fixture.open(gate);
        fixture.awaitIdle();
        assertEquals(ThreadState.LEADER, fixture.state("a"), "the regular leader ends the wait of its deputy");
        assertEquals(ThreadState.FOLLOWER, fixture.state("b"));
        reportOneEvent();
        assertEquals(List.of("slow begun by a", "slow ended by a", "quick by a"), fixture.log);
        assertEquals(List.of("regular a", "deputy b", "regular a"), fixture.set.turns());
        assertEquals(1, fixture.pool.counters().returnPromotions());
        assertEquals(0, fixture.pool.counters().leavingPromotions());
    }

    @Test
    void deputyFinishesItsReadyListFirst() {
        fixture.join("a", "b");
        fixture.time.computes("b");
        Gate slow = fixture.gate();
        Gate second = fixture.gate();
        fixture.report(fixture.slow("slow", slow), fixture.slow("second", second), fixture.quick("third"));
        fixture.advance(LOOK_NS);
        fixture.advance(LOOK_NS);
        fixture.open(slow);
        assertEquals(ThreadState.FOLLOWER, fixture.state("a"));
        fixture.open(second);
        assertEquals(ThreadState.LEADER, fixture.state("a"));
        assertEquals("third by b", fixture.log.get(fixture.log.size() - 1));
    }

    @Test
    void deputyKeepsLeadershipWhileTheRegularLeaderIsAway() {
        fixture.join("a", "b", "c");
        Gate gate = deposeLeader("slow");
        for (int i = 0; i < 3; i++) {
            reportOneEvent();
        }
        assertEquals(3, fixture.log.stream().filter("quick by c"::equals).count());
        fixture.open(gate);
    }

    @Test
    void deputiesGiveLeadershipBackToTheRegularLeaderOnly() {
        fixture.join("a", "b", "c");
        Gate first = deposeLeader("first");
        String deputy = leader();
        Gate second = deposeLeader("second");
        String next = leader();
        fixture.open(second);
        reportOneEvent();
        assertEquals(ThreadState.LEADER, fixture.state(next), deputy + " is back, and has only stood in");
        fixture.open(first);
        reportOneEvent();
        assertEquals("a", leader());
        assertEquals(List.of("regular a", "deputy " + deputy, "deputy " + next, "regular a"), fixture.set.turns());
    }

    private String leader() {
        return fixture.pool.threads().stream()
                .filter(ThreadStatus::owner)
                .map(ThreadStatus::name)
                .findFirst()
                .orElseThrow();
    }

    @Test
    void regularLeaderIsNotReplacedHoweverLongItIsAway() {
        fixture.join("a", "b", "c");
        Gate gate = deposeLeader("slow");
        fixture.advance(Duration.ofHours(1).toNanos());
        reportOneEvent();
        assertEquals("deputy " + leader(), fixture.set.turns().get(1));
        fixture.open(gate);
        fixture.awaitIdle();
        assertEquals("a", leader());
    }

    @Test
    void regularLeaderLeavesAPoolThatStopsAfterAllOthers() {
        fixture.join("a", "b");
        Gate gate = deposeLeader("slow");
        Gate ofDeputy = deposeLeader("second");
        fixture.pool.stop();
        gate.open();
        assertFalse(fixture.pool.isTerminated(), "the deputy is in a handler still");
        ofDeputy.open();
        fixture.awaitTerminated();
        assertEquals(List.of("a"), fixture.set.lastLeavers());
    }

    /** The promotion order chooses who stands in, and not whom leadership goes back to. */
    @Test
    void leadershipGoesBackPastTheFollowerWhoseTurnItIs() {
        use(PoolFixture.withRegularLeader(
                PoolConfig.of("test", 4).withPromotion(DEFERRED).withOrder(PromotionOrder.fifo())));
        fixture.join("a", "b", "c");
        Gate gate = deposeLeader("slow");
        fixture.open(gate);
        reportOneEvent();
        assertEquals("a", leader());
    }

    @Test
    void otherSetsKeepTheirNewLeader() {
        use(PoolFixture.deferred(4));
        fixture.join("a", "b");
        Gate gate = deposeLeader("slow");
        fixture.open(gate);
        reportOneEvent();
        assertEquals("b", leader());
        assertEquals(List.of(), fixture.set.turns());
    }

    @Test
    void handlerThatPromotesASuccessorGetsLeadershipBack() {
        fixture.join("a", "b");
        Gate gate = fixture.gate();
        fixture.report(fixture.set.register("promotes", (handle, ready) -> {
            fixture.pool.promoteNewLeader();
            gate.pass();
        }));
        assertEquals("b", leader());
        fixture.open(gate);
        reportOneEvent();
        assertEquals("a", leader());
    }

    @Test
    void stopEndsADeputyAndTheRegularLeader() {
        fixture.join("a", "b");
        Gate gate = deposeLeader("slow");
        fixture.pool.stop();
        fixture.open(gate);
        fixture.awaitTerminated();
    }
}
