package org.cabrank.lf;

import static org.cabrank.lf.PoolFixture.GAP_NS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.cabrank.lf.observe.PoolCounters;
import org.cabrank.lf.observe.ThreadState;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Leader, followers and successor. */
@Timeout(300)
class LeadershipTest {
    private PoolFixture fixture;

    @AfterEach
    void close() {
        fixture.close();
    }

    private void pool(int threads, boolean eager) {
        fixture = eager ? PoolFixture.eager(threads) : PoolFixture.deferred(threads);
    }

    // ---- one thread ----

    @Test
    void oneThreadIsAPlainReactor() {
        pool(1, true);
        fixture.join("only");
        fixture.report(fixture.quick("first"), fixture.quick("second"));
        assertEquals(List.of("first by only", "second by only"), fixture.log);
        assertEquals(Map.of("only", ThreadState.LEADER), fixture.states());
        assertEquals(
                new PoolCounters(2, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
                fixture.pool.counters());
        Gate gate = fixture.gate();
        fixture.report(fixture.slow("slow", gate));
        assertEquals(Map.of("only", ThreadState.PROCESSING), fixture.states());
    }

    @Test
    void oneThreadHasNobodyToPromote() {
        pool(1, true);
        fixture.set.report(List.of(FakeHandleSet.readable(promoting("promoting"))));
        fixture.join("only");
        assertEquals(List.of("false", "false"), fixture.log);
    }

    // ---- eager ----

    @Test
    void eagerLeaderPromotesBeforeItProcesses() {
        pool(2, true);
        fixture.join("a", "b");
        FakeHandle handle = fixture.set.register("handle", (h, ready) -> fixture.log.add("b is " + fixture.state("b")));
        fixture.report(handle);
        assertEquals(List.of("b is LEADER"), fixture.log);
        assertEquals(Map.of("a", ThreadState.FOLLOWER, "b", ThreadState.LEADER), fixture.states());
        assertEquals(1, fixture.pool.counters().promotions());
    }

    @Test
    void eventsAreProcessedInParallelUnderEagerPromotion() {
        pool(3, true);
        fixture.join("a", "b", "c");
        Gate gate = fixture.gate();
        fixture.report(fixture.slow("first", gate), fixture.slow("second", gate));
        assertEquals(Set.of("first begun by a", "second begun by c"), Set.copyOf(fixture.log), "in either order");
        assertEquals(
                Map.of("a", ThreadState.PROCESSING, "b", ThreadState.LEADER, "c", ThreadState.PROCESSING),
                fixture.states());
    }

    @Test
    void eagerLeadershipStaysVacantWithoutAFollowerAndTheFirstToReturnTakesIt() {
        pool(2, true);
        fixture.join("a", "b");
        Gate first = fixture.gate();
        Gate second = fixture.gate();
        fixture.report(fixture.slow("first", first), fixture.slow("second", second), fixture.quick("third"));
        assertEquals(Map.of("a", ThreadState.PROCESSING, "b", ThreadState.PROCESSING), fixture.states());
        fixture.open(second);
        assertEquals(Set.of("first begun by a", "second begun by b"), Set.copyOf(fixture.log.subList(0, 2)));
        assertEquals(List.of("second ended by b", "third by b"), fixture.log.subList(2, 4));
        assertEquals(Map.of("a", ThreadState.PROCESSING, "b", ThreadState.LEADER), fixture.states());
        assertEquals(1, fixture.pool.counters().promotions());
    }

    // ---- order ----

    @Test
    void newestFollowerIsPromotedFirst() {
        pool(4, true);
        fixture.join("a", "b", "c", "d");
        Gate gate = fixture.gate();
        FakeHandle quick = fixture.quick("quick");
        fixture.report(fixture.slow("slow", gate));
        assertEquals(ThreadState.LEADER, fixture.state("d"));
        fixture.report(quick);
        assertEquals(ThreadState.LEADER, fixture.state("c"), "d has become the newest only after it promoted c");
        fixture.report(quick);
        assertEquals(ThreadState.LEADER, fixture.state("d"));
        assertEquals(ThreadState.FOLLOWER, fixture.state("b"));
    }

    // ---- promoteNewLeader ----

    /** Promotes twice and logs what both answered. */
    private FakeHandle promoting(String name) {
        return fixture.set.register(name, (handle, ready) -> {
            fixture.log.add(String.valueOf(fixture.pool.promoteNewLeader()));
            fixture.log.add(String.valueOf(fixture.pool.promoteNewLeader()));
        });
    }

    @Test
    void handlerPromotesUnderDeferredPromotionOnce() {
        pool(3, false);
        fixture.join("a", "b", "c");
        FakeHandle handle = promoting("promoting");
        fixture.report(handle);
        assertEquals(List.of("true", "false"), fixture.log);
        assertEquals(ThreadState.LEADER, fixture.state("c"), "the newest");
        assertEquals(ThreadState.FOLLOWER, fixture.state("a"));
        assertEquals(1, fixture.pool.counters().promotions());
        fixture.report(handle);
        assertEquals(List.of("true", "false", "true", "false"), fixture.log, "an event of its own each time");
    }

    @Test
    void promotedLeaderServesTheReadyListWhileTheHandlerRuns() {
        pool(2, false);
        fixture.join("a", "b");
        Gate gate = fixture.gate();
        FakeHandle slow = fixture.set.register("slow", (handle, ready) -> {
            fixture.pool.promoteNewLeader();
            gate.pass();
        });
        fixture.report(slow, fixture.quick("quick"));
        assertEquals(List.of("quick by b"), fixture.log);
        assertEquals(0, fixture.pool.counters().takeovers());
    }

    @Test
    void promotionWithoutAFollowerLeavesLeadershipToTheNextThatComes() {
        pool(2, false);
        fixture.join("a");
        Gate gate = fixture.gate();
        FakeHandle slow = fixture.set.register("slow", (handle, ready) -> {
            fixture.log.add(String.valueOf(fixture.pool.promoteNewLeader()));
            gate.pass();
        });
        fixture.report(slow, fixture.quick("quick"));
        assertEquals(List.of("true"), fixture.log);
        fixture.join("b");
        assertEquals(List.of("true", "quick by b"), fixture.log);
        assertEquals(Map.of("a", ThreadState.PROCESSING, "b", ThreadState.LEADER), fixture.states());
        fixture.open(gate);
        assertEquals(ThreadState.FOLLOWER, fixture.state("a"));
    }

    @Test
    void eagerHandlerHasNothingToPromote() {
        pool(2, true);
        fixture.join("a", "b");
        fixture.report(promoting("promoting"));
        assertEquals(List.of("false", "false"), fixture.log);
    }

    @Test
    void deposedHandlerHasNothingToPromote() {
        pool(3, false);
        fixture.join("a", "b", "c");
        Gate gate = fixture.gate();
        FakeHandle late = fixture.set.register("late", (handle, ready) -> {
            gate.pass();
            fixture.log.add(String.valueOf(fixture.pool.promoteNewLeader()));
        });
        fixture.report(late);
        fixture.advance(GAP_NS / 2);
        assertEquals(ThreadState.LEADER, fixture.state("c"));
        fixture.open(gate);
        assertEquals(List.of("false"), fixture.log);
        assertEquals(ThreadState.LEADER, fixture.state("c"));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void threadThatIsNotProcessingCannotPromote(boolean eager) {
        pool(2, eager);
        fixture.join("a", "b");
        fixture.report(fixture.quick("quick"));
        IllegalStateException refused =
                assertThrows(IllegalStateException.class, () -> fixture.pool.promoteNewLeader());
        assertEquals(
                Thread.currentThread().getName() + " is not processing an event of pool test", refused.getMessage());
    }
}
