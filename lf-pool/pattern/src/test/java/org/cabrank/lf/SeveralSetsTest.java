package org.cabrank.lf;

import static org.cabrank.lf.PoolFixture.LOOK_NS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.cabrank.lf.handle.Deactivation;
import org.cabrank.lf.handle.Ready;
import org.cabrank.lf.leadership.LeaderWatch;
import org.cabrank.lf.observe.ThreadState;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** One group of threads over several handle sets (POSA2: multiple leaders, multiple followers). */
@Timeout(300)
class SeveralSetsTest {
    private PoolFixture fixture;

    @AfterEach
    void close() {
        if (fixture != null) {
            fixture.close();
        }
    }

    private void pool(int threads, int sets, Promotion promotion) {
        fixture = new PoolFixture(PoolConfig.of("test", threads).withPromotion(promotion), Deactivation.CLAIM, sets);
    }

    private void eager(int threads, int sets) {
        pool(threads, sets, Promotion.eager());
    }

    private void deferred(int threads, int sets) {
        pool(threads, sets, Promotion.deferred(PoolFixture.MAX_GAP));
    }

    @Test
    void eachSetHasALeaderOfItsOwn() {
        deferred(4, 3);
        fixture.join("a", "b", "c", "d");
        assertEquals(
                Map.of(
                        "a", ThreadState.LEADER,
                        "b", ThreadState.LEADER,
                        "c", ThreadState.LEADER,
                        "d", ThreadState.FOLLOWER),
                fixture.states());
        for (int set = 2; set >= 0; set--) {
            fixture.report(fixture.quick(fixture.sets.get(set), "handle of " + set));
        }
        assertEquals(List.of("handle of 2 by c", "handle of 1 by b", "handle of 0 by a"), fixture.log);
    }

    @Test
    void followerIsPromotedInWhicheverSetHasLostItsLeader() {
        eager(3, 2);
        fixture.join("a", "b", "c");
        Gate gate = fixture.gate();
        fixture.report(fixture.slow(fixture.sets.get(1), "slow", gate));
        assertEquals(ThreadState.PROCESSING, fixture.state("b"));
        fixture.report(fixture.quick(fixture.sets.get(1), "second"));
        fixture.report(fixture.quick(fixture.sets.get(0), "first"));
        assertEquals(List.of("slow begun by b", "second by c", "first by a"), fixture.log);
        fixture.open(gate);
        assertEquals(ThreadState.FOLLOWER, fixture.state("b"));
    }

    @Test
    void threadThatComesBackTakesTheSetThatWasVacantLongest() {
        eager(2, 2);
        fixture.join("a", "b");
        Gate first = fixture.gate();
        Gate second = fixture.gate();
        fixture.report(fixture.slow(fixture.sets.get(0), "slow 0", first));
        fixture.report(fixture.slow(fixture.sets.get(1), "slow 1", second));
        fixture.open(second);
        assertEquals(ThreadState.LEADER, fixture.state("b"));
        fixture.report(fixture.quick(fixture.sets.get(0), "quick 0"));
        assertEquals("quick 0 by b", fixture.log.get(fixture.log.size() - 1), "b has led set 1 before");
        fixture.report(fixture.quick(fixture.sets.get(1), "quick 1"));
        assertEquals("quick 1 by b", fixture.log.get(fixture.log.size() - 1), "and comes to set 1 before 0 again");
        fixture.open(first);
    }

    @Test
    void watcherLooksAtEveryLeader() {
        deferred(3, 2);
        fixture.join("a", "b", "c");
        Gate gate = fixture.gate();
        fixture.report(fixture.slow(fixture.sets.get(1), "slow", gate));
        fixture.advance(LOOK_NS);
        fixture.advance(LOOK_NS);
        assertEquals(
                Map.of("a", ThreadState.LEADER, "b", ThreadState.PROCESSING, "c", ThreadState.LEADER),
                fixture.states());
        fixture.report(fixture.quick(fixture.sets.get(1), "quick"));
        assertEquals("quick by c", fixture.log.get(1));
    }

    @Test
    void twoSlowSetsAreTakenOverAtOneLook() {
        deferred(4, 2);
        fixture.join("a", "b", "c", "d");
        Gate gate = fixture.gate();
        fixture.sets.get(0).report(fixture.slow(fixture.sets.get(0), "slow 0", gate));
        fixture.report(fixture.slow(fixture.sets.get(1), "slow 1", gate));
        fixture.advance(LOOK_NS);
        assertEquals(2, fixture.pool.counters().takeovers());
        assertEquals(
                Map.of(
                        "a", ThreadState.PROCESSING,
                        "b", ThreadState.PROCESSING,
                        "c", ThreadState.LEADER,
                        "d", ThreadState.LEADER),
                fixture.states());
    }

    /** It would sleep through the other set's slow event if it looked at one leader only. */
    @Test
    void watcherRestsOnlyWhenEveryLeaderWaits() {
        deferred(3, 2);
        fixture.join("a", "b", "c");
        for (int look = 0; look <= LeaderWatch.IDLE_LOOKS_MAX + 1; look++) {
            fixture.advance(LOOK_NS);
        }
        assertTrue(fixture.watcherRestsWithoutTimer());
        Gate gate = fixture.gate();
        fixture.report(fixture.slow(fixture.sets.get(1), "slow", gate));
        fixture.advance(LOOK_NS);
        fixture.advance(LOOK_NS);
        fixture.advance(LOOK_NS);
        assertEquals(ThreadState.LEADER, fixture.state("c"), "the event has woken it");
    }

    @Test
    void promoteNewLeaderIsForTheSetOfTheEvent() {
        deferred(3, 2);
        fixture.join("a", "b", "c");
        Gate gate = fixture.gate();
        FakeHandle promoting = fixture.sets.get(1).register("promoting", (handle, ready) -> {
            fixture.log.add("promoted " + fixture.pool.promoteNewLeader());
            gate.pass();
        });
        fixture.report(promoting);
        fixture.report(fixture.quick(fixture.sets.get(1), "quick"));
        assertEquals(List.of("promoted true", "quick by c"), fixture.log);
    }

    @Test
    void gracefulStopFinishesEverySet() {
        eager(2, 2);
        List<FakeHandle> handles =
                List.of(fixture.quick(fixture.sets.get(0), "first"), fixture.quick(fixture.sets.get(1), "second"));
        handles.forEach(handle -> handle.post(Ready.POSTED));
        fixture.join("a", "b");
        fixture.pool.stop();
        fixture.awaitTerminated();
        assertEquals(2, fixture.log.size());
    }

    @Test
    void fewerThreadsThanSetsAreRefused() {
        IllegalArgumentException refused = assertThrows(IllegalArgumentException.class, () -> eager(1, 2));
        assertEquals(
                "2 handle sets need as many threads, not 1: one that nobody watches would starve",
                refused.getMessage());
    }

    @Test
    void oneSetTwiceIsRefused() {
        VirtualTime time = new VirtualTime();
        FakeHandleSet set = new FakeHandleSet(Deactivation.CLAIM, time);
        assertThrows(
                IllegalArgumentException.class,
                () -> new LeaderFollowersPool(List.of(set, set), PoolConfig.of("test", 2)));
    }

    @Test
    void setThatIsServedLeavesTheOthersFree() {
        VirtualTime time = new VirtualTime();
        FakeHandleSet free = new FakeHandleSet(Deactivation.CLAIM, time);
        eager(1, 1);
        assertThrows(
                IllegalStateException.class,
                () -> new LeaderFollowersPool(List.of(free, fixture.set), PoolConfig.of("test", 2)));
        new LeaderFollowersPool(free, PoolConfig.of("test", 2)).close();
        free.close();
    }
}
