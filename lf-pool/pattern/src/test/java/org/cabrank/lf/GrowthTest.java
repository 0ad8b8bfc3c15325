package org.cabrank.lf;

import static org.cabrank.lf.PoolFixture.LOOK_NS;
import static org.cabrank.lf.PoolFixture.MAX_GAP;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import org.cabrank.lf.handle.Deactivation;
import org.cabrank.lf.leadership.LeaderWatch;
import org.cabrank.lf.observe.ThreadState;
import org.cabrank.lf.observe.ThreadStatus;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A pool on one CPU starts with two threads, adds followers while handlers block, and ends what a minute has not needed. */
@Timeout(300)
class GrowthTest {
    private static final int MAX = 4;

    private PoolFixture fixture;

    @AfterEach
    void close() {
        fixture.close();
    }

    private static PoolConfig config(int max) {
        return PoolConfig.of("test", max).withInitialThreads(2).withPromotion(Promotion.deferred(MAX_GAP));
    }

    private void start(PoolConfig config, int addedMax) {
        fixture = PoolFixture.growing(config, addedMax);
        fixture.pool.start();
        fixture.awaitIdle();
        assertEquals(Set.of("test-0", "test-1"), fixture.states().keySet());
    }

    private void start(PoolConfig config) {
        start(config, Growth.ADDED_MAX);
    }

    /** The leader's handler waits at a gate that this returns. */
    private Gate block() {
        Gate gate = fixture.gate();
        fixture.report(fixture.slow("slow", gate));
        return gate;
    }

    /** The leader's handler waits, and a follower has taken over. Returns the gate. */
    private Gate takeOver() {
        Gate gate = block();
        awaitTakeover();
        return gate;
    }

    private void awaitTakeover() {
        long before = fixture.pool.counters().takeovers();
        for (int looks = 0; looks < 4 && fixture.pool.counters().takeovers() == before; looks++) {
            fixture.advance(LOOK_NS);
        }
        assertEquals(before + 1, fixture.pool.counters().takeovers());
    }

    private String leader() {
        return fixture.pool.threads().stream()
                .filter(ThreadStatus::owner)
                .map(ThreadStatus::name)
                .findAny()
                .orElseThrow();
    }

    private long followers() {
        return fixture.states().values().stream()
                .filter(ThreadState.FOLLOWER::equals)
                .count();
    }

    private void awaitThreads(int count) {
        fixture.time.await(
                count + " threads take part", () -> fixture.pool.threads().size() == count);
        fixture.awaitIdle();
    }

    private void assertThreads(int count, long added, long ended, long refused) {
        assertEquals(
                count, fixture.pool.threads().size(), () -> fixture.states().toString());
        assertEquals(added, fixture.pool.counters().threadsAdded());
        assertEquals(ended, fixture.pool.counters().threadsEnded());
        assertEquals(refused, fixture.pool.counters().threadsRefused());
    }

    /** Longer than the watcher looks at leaders that wait, and than it hears no requests after some in vain. */
    private void idle() {
        fixture.advance(GrowingPool.LOOK_MAX_NS);
        for (int look = 0; look <= LeaderWatch.IDLE_LOOKS_MAX + 1; look++) {
            fixture.advance(LOOK_NS);
        }
    }

    @Test
    void poolWhoseHandlersAreQuickStaysAtTwoAndItsWatcherSleepsWithoutATimer() {
        start(config(MAX));
        for (int i = 0; i < 20; i++) {
            fixture.report(fixture.quick("quick"));
        }
        idle();
        assertThreads(2, 0, 0, 0);
        assertTrue(fixture.watcherRestsWithoutTimer());
    }

    @Test
    void followerIsAddedWithoutTheClockWhenTheLastOneTakesOver() {
        start(config(MAX));
        takeOver();
        awaitThreads(3);
        assertEquals(Set.of("test-0", "test-1", "test-2"), fixture.states().keySet());
        assertEquals(ThreadState.FOLLOWER, fixture.state("test-2"));
        assertThreads(3, 1, 0, 0);
    }

    @Test
    void addedThreadHasTheContextClassLoaderOfTheOneThatStartedThePool() {
        ClassLoader own = new ClassLoader(getClass().getClassLoader()) {};
        ClassLoader before = Thread.currentThread().getContextClassLoader();
        Thread.currentThread().setContextClassLoader(own);
        try {
            start(config(MAX));
        } finally {
            Thread.currentThread().setContextClassLoader(before);
        }
        takeOver();
        awaitThreads(3);
        assertSame(own, PoolFixture.named("test-2").getContextClassLoader());
    }

    @Test
    void handlerThatComputesIsTakenOverFromAndThePoolDoesNotGrowUntilItBlocks() {
        start(config(MAX));
        String computing = leader();
        fixture.time.computes(computing);
        takeOver();
        for (int look = 0; look < 20; look++) {
            fixture.advance(GrowingPool.LOOK_MAX_NS);
        }
        assertThreads(2, 0, 0, 0);
        fixture.time.blocks(computing);
        fixture.advance(GrowingPool.LOOK_MAX_NS);
        awaitThreads(3);
        assertEquals(1, followers());
    }

    @Test
    void leaderThatComputesDoesNotKeepABlockedThreadFromBeingReplaced() {
        start(config(MAX));
        fixture.time.computes(leader().equals("test-0") ? "test-1" : "test-0"); // leads after the takeover
        takeOver();
        awaitThreads(3);
    }

    @Test
    void poolDoesNotGrowBeyondItsMaximumAndIsServedAgainWhenAHandlerReturns() {
        start(config(3));
        Gate first = takeOver();
        awaitThreads(3);
        takeOver();
        assertEquals(0, followers());
        fixture.advance(GrowingPool.RETRY_NS);
        assertThreads(3, 1, 0, 0);
        Gate last = block();
        fixture.open(first);
        fixture.advance(LOOK_NS);
        fixture.advance(LOOK_NS);
        fixture.report(fixture.quick("quick"));
        assertTrue(fixture.log.stream().anyMatch(line -> line.startsWith("quick by")), () -> fixture.log.toString());
        fixture.open(last);
    }

    @Test
    void boundOfAddedThreadsIsSharedByThePools() {
        start(config(MAX), 1);
        FakeHandleSet secondSet = new FakeHandleSet(Deactivation.CLAIM, fixture.time);
        LeaderFollowersPool second = new LeaderFollowersPool(
                List.of(secondSet), config(MAX).withName("second"), fixture.time, fixture.watcher, fixture.growth, 1);
        second.start();
        takeOver();
        awaitThreads(3);
        takeOver();
        fixture.advance(GrowingPool.RETRY_NS);
        assertThreads(3, 1, 0, 0);
        Gate gate = fixture.gate();
        secondSet.report(secondSet.register("other", (handle, ready) -> gate.pass()));
        gate.awaitEntered();
        for (int looks = 0; looks < 4 && second.counters().takeovers() == 0; looks++) {
            fixture.advance(LOOK_NS);
            fixture.time.await(
                    "the second pool rests",
                    () -> second.threads().stream()
                            .allMatch(thread -> fixture.time.rests(PoolFixture.named(thread.name()))));
        }
        fixture.advance(GrowingPool.RETRY_NS);
        assertEquals(2, second.threads().size());
        assertEquals(0, second.counters().threadsAdded());
        fixture.open(gate);
        second.stop();
        fixture.time.await("the second pool has terminated", second::isTerminated);
        secondSet.close();
    }

    /** Three handlers block at a time; their threads return, and four threads are left. */
    private void growToFour() {
        Gate first = takeOver();
        awaitThreads(3);
        Gate next = takeOver();
        awaitThreads(4);
        fixture.open(first);
        fixture.open(next);
        assertEquals(3, followers());
    }

    @Test
    void threadsThatAMinuteHasNotNeededEndAndTheirNumbersAreUsedAgain() {
        start(config(MAX));
        growToFour();
        fixture.advance(Growth.UNUSED_NS / 2);
        fixture.advance(Growth.UNUSED_NS / 2 - 1);
        assertEquals(4, fixture.pool.threads().size());
        fixture.advance(1 + Growth.UNUSED_NS);
        awaitThreads(2);
        assertThreads(2, 2, 2, 0);
        assertEquals(1, followers());
        idle();
        assertTrue(fixture.watcherRestsWithoutTimer(), "at its initial size nothing is to be ended");
        Set<String> left = fixture.states().keySet();
        takeOver();
        awaitThreads(3);
        assertTrue(fixture.states().keySet().containsAll(left));
        assertTrue(
                Set.of("test-0", "test-1", "test-2", "test-3")
                        .containsAll(fixture.states().keySet()),
                () -> fixture.states().toString());
    }

    @Test
    void threadsThatEachMinuteNeedsStay() {
        start(config(MAX));
        growToFour();
        for (int minute = 0; minute < 3; minute++) {
            Gate first = takeOver();
            Gate next = takeOver();
            fixture.open(first);
            fixture.open(next);
            fixture.advance(Growth.UNUSED_NS);
        }
        assertThreads(4, 2, 0, 0);
    }

    @Test
    void onlyFollowerStaysHoweverLongItIsNotNeeded() {
        start(config(MAX));
        Gate first = takeOver();
        awaitThreads(3);
        fixture.advance(10 * Growth.UNUSED_NS);
        fixture.advance(10 * Growth.UNUSED_NS);
        assertThreads(3, 1, 0, 0);
        assertEquals(1, followers());
        fixture.open(first);
    }

    @Test
    void guestIsNotEndedAndCountsAsAMember() {
        start(config(3));
        fixture.join("guest");
        takeOver();
        awaitTakeoverBy(2);
        fixture.advance(GrowingPool.RETRY_NS);
        assertEquals(Set.of("guest", "test-0", "test-1"), fixture.states().keySet());
        assertThreads(3, 0, 0, 0);
    }

    private void awaitTakeoverBy(int total) {
        if (fixture.pool.counters().takeovers() < total) {
            takeOver();
        }
    }

    @Test
    void poolGrowsWhenTheGuestThatFollowedLeaves() {
        start(config(3));
        JoiningThread guest = fixture.join("guest", Duration.ofNanos(Growth.UNUSED_NS));
        takeOver();
        takeOverUnlessBy("guest");
        fixture.advance(Growth.UNUSED_NS);
        fixture.time.await("the guest has left", guest::hasLeft);
        awaitThreads(3);
        assertThreads(3, 1, 0, 0);
    }

    /** The leader's handler has to run on a pool thread for the guest to leave as a follower or leader. */
    private void takeOverUnlessBy(String guest) {
        if (!leader().equals(guest)) {
            takeOver();
        }
        assertEquals(guest, leader());
    }

    @Test
    void poolOfGuestsAloneDoesNotGrow() {
        fixture = PoolFixture.growing(config(MAX), Growth.ADDED_MAX);
        fixture.join("a", "b");
        takeOver();
        fixture.advance(GrowingPool.RETRY_NS);
        assertEquals(Set.of("a", "b"), fixture.states().keySet());
    }

    @Test
    void poolGrowsWhenAHandlerPromotesTheLastFollower() {
        start(config(MAX));
        Gate gate = fixture.gate();
        fixture.report(fixture.set.register("promotes", (handle, ready) -> {
            fixture.pool.promoteNewLeader();
            gate.pass();
        }));
        awaitThreads(3);
        assertEquals(1, followers());
    }

    @Test
    void poolGrowsUnderEagerPromotion() {
        start(config(MAX).withPromotion(Promotion.eager()));
        block();
        awaitThreads(3);
        block();
        awaitThreads(4);
        assertEquals(1, followers());
    }

    @Test
    void poolGrowsWhileItsThreadsWaitForReplies() {
        start(config(MAX));
        Reply<Void> reply = fixture.pool.newReply();
        fixture.report(fixture.set.register("waits", (handle, ready) -> reply.await(Duration.ofDays(1))));
        takeOver();
        awaitThreads(3);
        Gate gate = takeOver();
        awaitThreads(4);
        fixture.advance(3 * Growth.UNUSED_NS);
        assertEquals(4, fixture.pool.threads().size(), "one waits, two are blocked, one follows");
        fixture.open(gate);
        reply.complete(null);
    }

    private void assertRefusedOnceAndTriedAgain(PoolConfig config, AtomicInteger refusals) {
        refusals.set(0);
        start(config);
        refusals.set(1);
        Gate first = takeOver();
        fixture.time.await("a thread was refused", () -> fixture.pool.counters().threadsRefused() == 1);
        fixture.awaitIdle();
        assertEquals(2, fixture.pool.threads().size());
        assertNull(fixture.pool.failure());
        assertEquals(1, fixture.set.failures().count());
        fixture.advance(GrowingPool.RETRY_NS - 1);
        assertEquals(1, fixture.pool.counters().threadsRefused());
        fixture.advance(1 + GrowingPool.LOOK_MAX_NS);
        awaitThreads(3);
        assertEquals(1, fixture.pool.counters().threadsRefused());
        fixture.open(first);
    }

    /** The factory fails as long as {@code refusals} is above 0, which it counts down. */
    private static ThreadFactory failing(AtomicInteger refusals, ThreadFactory failed) {
        return task ->
                refusals.getAndUpdate(left -> Math.max(0, left - 1)) > 0 ? failed.newThread(task) : new Thread(task);
    }

    private void assertRefusedOnceAndTriedAgain(ThreadFactory failed) {
        AtomicInteger refusals = new AtomicInteger();
        assertRefusedOnceAndTriedAgain(config(MAX).withThreadFactory(failing(refusals, failed)), refusals);
    }

    @Test
    void poolGoesOnWithoutNativeThreadsAndTriesAgain() {
        assertRefusedOnceAndTriedAgain(task -> {
            throw new OutOfMemoryError("unable to create native thread: thrown on purpose");
        });
    }

    @Test
    void poolGoesOnIfTheFactoryReturnsNull() {
        assertRefusedOnceAndTriedAgain(task -> null);
    }

    @Test
    void poolGoesOnIfTheThreadDoesNotRunItsTask() {
        AtomicInteger refusals = new AtomicInteger();
        start(config(MAX).withThreadFactory(failing(refusals, task -> new Thread(() -> {}))));
        refusals.set(1);
        takeOver();
        fixture.time.await("the thread has been missed", () -> {
            fixture.time.advance(GrowingPool.LOOK_MAX_NS);
            return fixture.pool.counters().threadsRefused() == 1;
        });
        fixture.advance(GrowingPool.RETRY_NS);
        awaitThreads(3);
    }

    @Test
    void poolGoesOnIfAnAddedThreadCannotBePlaced() {
        AtomicInteger refusals = new AtomicInteger();
        IntConsumer place = number -> {
            if (refusals.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
                throw new IllegalStateException("thrown by the placement on purpose");
            }
        };
        assertRefusedOnceAndTriedAgain(config(MAX).withOnThreadStart(place), refusals);
    }

    @Test
    void refusalsAreLoggedOnce() {
        AtomicInteger refusals = new AtomicInteger();
        start(config(MAX).withThreadFactory(failing(refusals, task -> null)));
        refusals.set(3);
        takeOver();
        for (int second = 0; second < 4; second++) {
            fixture.advance(GrowingPool.RETRY_NS);
        }
        awaitThreads(3);
        assertThreads(3, 1, 0, 3);
    }

    @Test
    void poolThatStopsWhileAThreadIsOnItsWayTerminatesWithIt() {
        List<Gate> placing = new ArrayList<>();
        start(config(MAX).withOnThreadStart(number -> {
            if (number == 2) {
                placing.get(0).pass();
            }
        }));
        placing.add(fixture.gate());
        Gate gate = takeOver();
        placing.get(0).awaitEntered();
        fixture.pool.stop();
        gate.open();
        fixture.time.await("the others have left", () -> fixture.pool.threads().size() == 1);
        assertEquals(Set.of("test-2"), fixture.states().keySet());
        placing.get(0).open();
        fixture.awaitTerminated();
        fixture.time.await("the watcher has ended", () -> fixture.watcher.thread() == null);
    }

    @Test
    void addedThreadTakesTheVacancyThatTheLastFollowerHasLeftByBlocking() {
        List<Gate> placing = new ArrayList<>();
        start(config(MAX).withOnThreadStart(number -> {
            if (number == 2) {
                placing.get(0).pass();
            }
        }));
        placing.add(fixture.gate());
        takeOver();
        placing.get(0).awaitEntered();
        block(); // nobody follows, and the leader is blocked
        fixture.open(placing.get(0));
        awaitThreads(4); // the third has taken over at once, so nobody followed
        assertEquals(2, fixture.pool.counters().takeovers());
        assertEquals(1, followers());
    }
}
