package org.cabrank.lf;

import static org.cabrank.lf.PoolFixture.GAP_NS;
import static org.cabrank.lf.PoolFixture.LOOK_NS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.cabrank.lf.counting.MemberCounters;
import org.cabrank.lf.counting.ThreadCounters;
import org.cabrank.lf.fixture.Await;
import org.cabrank.lf.fixture.TestThread;
import org.cabrank.lf.handle.Deactivation;
import org.cabrank.lf.handle.Handle;
import org.cabrank.lf.handle.Ready;
import org.cabrank.lf.observe.PoolCounters;
import org.cabrank.lf.observe.ThreadStatus;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Counts of a pool and of its threads. */
@Timeout(300)
class PoolCountersTest {
    private PoolFixture fixture;

    private void pool(PoolFixture made) {
        fixture = made;
    }

    @AfterEach
    void close() {
        if (fixture != null) {
            fixture.close();
        }
    }

    private PoolCounters counters() {
        return fixture.pool.counters();
    }

    private Map<String, ThreadCounters> threads() {
        return fixture.pool.threads().stream()
                .collect(Collectors.toMap(
                        ThreadStatus::name,
                        thread -> new ThreadCounters(thread.processed(), thread.promotions(), thread.takeovers())));
    }

    private FakeHandle promoting() {
        return fixture.set.register("promoting", (handle, ready) -> fixture.pool.promoteNewLeader());
    }

    @Test
    void eagerPromotionsAreCountedWhereSomebodyWaited() {
        pool(PoolFixture.eager(3));
        fixture.join("a");
        FakeHandle quick = fixture.quick("quick");
        fixture.report(quick);
        assertEquals(0, counters().eagerPromotions(), "nobody waited");
        fixture.join("b");
        fixture.report(quick);
        assertEquals(1, counters().eagerPromotions());
        assertEquals(0, counters().handlerPromotions());
        assertEquals(0, counters().leavingPromotions());
        assertEquals(1, counters().promotions());
        assertEquals(Map.of("a", new ThreadCounters(2, 1, 0), "b", new ThreadCounters(0, 0, 0)), threads());
    }

    @Test
    void promotionsByHandlersAreCountedApart() {
        pool(PoolFixture.deferred(3));
        fixture.join("a", "b");
        fixture.report(promoting());
        assertEquals(1, counters().handlerPromotions());
        assertEquals(0, counters().eagerPromotions());
        assertEquals(0, counters().leavingPromotions());
        assertEquals(1, counters().promotions());
        assertEquals(new ThreadCounters(1, 1, 0), threads().get("a"));
    }

    @Test
    void promotionsByALeaderThatLeavesAreCountedApart() {
        pool(PoolFixture.deferred(3));
        fixture.join("a", Duration.ofMillis(1));
        fixture.join("b");
        fixture.advance(Duration.ofMillis(2).toNanos());
        fixture.awaitLeft("a");
        assertEquals(1, counters().leavingPromotions());
        assertEquals(0, counters().promotions());
    }

    @Test
    void leaderThatLeavesNobodyBehindHasPromotedNobody() {
        pool(PoolFixture.deferred(3));
        fixture.join("a", Duration.ofMillis(1));
        fixture.advance(Duration.ofMillis(2).toNanos());
        fixture.awaitLeft("a");
        assertEquals(0, counters().leavingPromotions());
    }

    @Test
    void takeoverCountsForTheThreadThatTookOver() {
        pool(PoolFixture.deferred(3));
        fixture.join("a", "b");
        fixture.report(fixture.slow("slow", fixture.gate()));
        fixture.advance(LOOK_NS);
        fixture.advance(LOOK_NS);
        assertEquals(1, counters().takeovers());
        assertEquals(Map.of("a", new ThreadCounters(0, 0, 0), "b", new ThreadCounters(0, 0, 1)), threads());
    }

    /** The limit is one gap: seen in progress for exactly that long, the event may have been watched in time. */
    @Test
    void gapIsOverTheLimitOnceTheEventHasBeenSeenForLonger() {
        for (long lateNs : new long[] {0, 1}) {
            pool(PoolFixture.deferred(2));
            fixture.join("a", "b");
            fixture.time.computes("a");
            fixture.report(fixture.slow("slow", fixture.gate()));
            fixture.advance(LOOK_NS);
            fixture.advance(GAP_NS + lateNs);
            assertEquals(1, counters().takeovers());
            assertEquals(lateNs, counters().gapsOverLimit());
            assertEquals(GAP_NS + lateNs, counters().largestGapNs());
            fixture.close();
        }
        fixture = null;
    }

    /** The watcher was late for its first look: nothing says that the event had begun long before. */
    @Test
    void lateFirstLookIsNoGapForCertain() {
        pool(PoolFixture.deferred(2));
        fixture.join("a", "b");
        fixture.time.computes("a");
        fixture.report(fixture.slow("slow", fixture.gate()));
        fixture.advance(10 * GAP_NS);
        fixture.advance(LOOK_NS);
        assertEquals(1, counters().takeovers());
        assertEquals(0, counters().gapsOverLimit());
    }

    @Test
    void countsOfAThreadThatHasLeftStayAndItsSuccessorBeginsAtZero() {
        pool(PoolFixture.deferred(1));
        FakeHandle quick = fixture.quick("quick");
        fixture.join("a", Duration.ofMillis(1));
        fixture.report(quick);
        fixture.report(quick);
        fixture.advance(Duration.ofMillis(2).toNanos());
        fixture.awaitLeft("a");
        assertEquals(2, counters().processed());
        assertEquals(Map.of(), threads());
        fixture.join("b");
        fixture.report(quick);
        assertEquals(3, counters().processed());
        assertEquals(Map.of("b", new ThreadCounters(1, 0, 0)), threads());
    }

    @Test
    void severalSetsAreCountedTogether() {
        VirtualTime time = new VirtualTime();
        List<FakeHandleSet> sets =
                List.of(new FakeHandleSet(Deactivation.CLAIM, time), new FakeHandleSet(Deactivation.CLAIM, time));
        LeaderFollowersPool pool = new LeaderFollowersPool(sets, PoolConfig.of("two", 2), time);
        for (FakeHandleSet set : sets) {
            set.registerVirtual("handle", (handle, ready) -> {});
            set.noteQueueFull();
            set.failures().log("on purpose", new IllegalStateException());
        }
        assertEquals(2, pool.handleCount());
        assertEquals(2, pool.counters().queueFull());
        assertEquals(2, pool.counters().failures());
    }

    /** Whoever holds the members' lock, a reader gets its answer. */
    @Test
    void countersAndThreadsAreReadWithoutTheMembersLock() throws Exception {
        Members members = new Members(2, List.of(), false, () -> {});
        Member member = members.adopt(members.reserve(), Thread.currentThread());
        member.counts.add(MemberCounters.PROCESSED, 7);
        CountDownLatch held = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        Thread holder = new Thread(() -> {
            synchronized (members) {
                held.countDown();
                Await.until(Await.PATIENCE, () -> release.getCount() == 0);
            }
        });
        holder.start();
        held.await();
        CompletableFuture<Long> counted =
                CompletableFuture.supplyAsync(() -> members.counters(null).processed());
        CompletableFuture<Integer> present =
                CompletableFuture.supplyAsync(() -> members.present().size());
        assertEquals(7, counted.get(Await.PATIENCE.toMillis() / 3, TimeUnit.MILLISECONDS));
        assertEquals(1, present.get(Await.PATIENCE.toMillis() / 3, TimeUnit.MILLISECONDS));
        assertTrue(holder.isAlive());
        release.countDown();
        holder.join();
    }

    /** A reader that looks again and again while threads come and go never sees a count fall. */
    @Test
    void countsNeverFallWhileThreadsComeAndGo() throws InterruptedException {
        MemoryHandleSet set = new MemoryHandleSet(Deactivation.CLAIM);
        LeaderFollowersPool pool = new LeaderFollowersPool(set, PoolConfig.fair("coming", 3));
        Handle handle = set.registerVirtual("again", (self, ready) -> self.post(Ready.POSTED));
        handle.post(Ready.POSTED);
        TestThread[] joiners = new TestThread[3];
        for (int i = 0; i < joiners.length; i++) {
            joiners[i] = TestThread.start("joiner " + i, () -> {
                for (int round = 0; round < 200; round++) {
                    pool.join(Duration.ofNanos(200_000));
                }
            });
        }
        PoolCounters before = pool.counters();
        while (joiners[0].isAlive() || joiners[1].isAlive() || joiners[2].isAlive()) {
            PoolCounters now = pool.counters();
            assertTrue(now.processed() >= before.processed(), () -> "processed fell: " + now);
            assertTrue(now.eagerPromotions() >= before.eagerPromotions(), () -> "promotions fell: " + now);
            assertTrue(now.leavingPromotions() >= before.leavingPromotions(), () -> "promotions fell: " + now);
            before = now;
        }
        for (TestThread joiner : joiners) {
            joiner.join();
        }
        assertTrue(pool.counters().processed() > 0);
        pool.close();
        set.close();
    }
}
