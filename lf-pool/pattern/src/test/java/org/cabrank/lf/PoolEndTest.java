package org.cabrank.lf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.cabrank.lf.dispatch.Dispatcher;
import org.cabrank.lf.dispatch.HandleStates;
import org.cabrank.lf.handle.Deactivation;
import org.cabrank.lf.handle.EventHandler;
import org.cabrank.lf.handle.Handle;
import org.cabrank.lf.handle.HandleSet;
import org.cabrank.lf.handle.Harvest;
import org.cabrank.lf.handle.Ready;
import org.cabrank.lf.observe.ThreadState;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Stops, failures, and what is left of a pool after them. */
@Timeout(300)
@Tag("newest") // on an older JDK in a soak only
class PoolEndTest {
    enum Kind {
        SOLO,
        EAGER,
        DEFERRED
    }

    private PoolFixture fixture;

    @AfterEach
    void close() {
        fixture.close();
    }

    private void pool(Kind kind) {
        fixture = kind == Kind.SOLO
                ? PoolFixture.deferred(1)
                : kind == Kind.EAGER ? PoolFixture.eager(3) : PoolFixture.deferred(3);
    }

    private void joinAll(Kind kind) {
        fixture.join(kind == Kind.SOLO ? new String[] {"a"} : new String[] {"a", "b", "c"});
    }

    // ---- stop ----

    @ParameterizedTest
    @EnumSource(Kind.class)
    void stopWakesTheLeaderAndAllFollowers(Kind kind) {
        pool(kind);
        joinAll(kind);
        fixture.pool.stop();
        fixture.awaitTerminated();
        assertTrue(fixture.pool.threads().isEmpty());
        fixture.awaitLeft("a");
        assertTrue(fixture.participant("a").wasStopped());
        assertNull(fixture.pool.failure());
    }

    @ParameterizedTest
    @EnumSource(
            value = Kind.class,
            names = {"EAGER", "DEFERRED"})
    void followersDoNotWaitForTheHandlersThatRunWhenAPoolStops(Kind kind) {
        pool(kind);
        joinAll(kind);
        Gate gate = fixture.gate();
        fixture.report(fixture.slow("slow", gate));
        fixture.pool.stop();
        fixture.awaitLeft("b");
        fixture.awaitLeft("c");
        assertEquals(Map.of("a", ThreadState.PROCESSING), fixture.states());
        fixture.open(gate);
        fixture.awaitTerminated();
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void gracefulStopProcessesWhatWasDetected(Kind kind) {
        pool(kind);
        fixture.join("a");
        Gate gate = fixture.gate();
        fixture.report(fixture.slow("slow", gate), fixture.quick("second"), fixture.quick("third"));
        fixture.pool.stop();
        assertFalse(fixture.pool.isTerminated());
        gate.open();
        fixture.awaitTerminated();
        assertEquals(List.of("slow begun by a", "slow ended by a", "second by a", "third by a"), fixture.log);
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void gracefulStopProcessesWhatWasPostedBefore(Kind kind) {
        pool(kind);
        fixture.join("a");
        Gate gate = fixture.gate();
        FakeHandle posted = fixture.quick("posted");
        fixture.slow("slow", gate).post(Ready.POSTED); // the leader is at its last batch of posts
        fixture.awaitIdle();
        posted.post(Ready.POSTED);
        fixture.pool.stop();
        gate.open();
        fixture.awaitTerminated();
        assertTrue(fixture.log.contains("posted by a"), fixture.log.toString());
    }

    /** It lets go of the handle when the last leader has looked at the posts, and left. */
    @ParameterizedTest
    @EnumSource(
            value = Kind.class,
            names = {"EAGER", "DEFERRED"})
    void gracefulStopProcessesWhatWasPostedToAHandlerThatWasRunning(Kind kind) {
        pool(kind);
        fixture.join("a", "b");
        Gate gate = fixture.gate();
        int[] calls = {0};
        FakeHandle busy = fixture.set.register("busy", (handle, ready) -> {
            if (++calls[0] <= Dispatcher.ROUNDS_MAX) {
                handle.post(Ready.POSTED);
            }
            if (calls[0] == Dispatcher.ROUNDS_MAX) {
                gate.pass();
            }
        });
        fixture.report(busy);
        fixture.pool.stop();
        fixture.awaitLeft("b");
        assertEquals(Dispatcher.ROUNDS_MAX, calls[0]);
        gate.open();
        fixture.awaitTerminated();
        assertEquals(Dispatcher.ROUNDS_MAX + 1, calls[0]);
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void handlerThatPostsItselfForEverHoldsUpNoStop(Kind kind) {
        pool(kind);
        fixture.set
                .register("restless", (handle, ready) -> handle.post(Ready.POSTED))
                .post(Ready.POSTED);
        JoiningThread guest = new JoiningThread("guest", fixture.pool, null);
        fixture.time.await(
                "the handler was called", () -> fixture.pool.counters().processed() > 100);
        fixture.pool.stop();
        fixture.awaitTerminated();
        fixture.time.await("the guest has left", guest::hasLeft);
        assertTrue(guest.wasStopped());
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void immediateStopLeavesWhatWasDetected(Kind kind) {
        pool(kind);
        fixture.join("a");
        Gate gate = fixture.gate();
        FakeHandle posted = fixture.quick("posted");
        fixture.report(fixture.slow("slow", gate), fixture.quick("second"));
        posted.post(Ready.POSTED);
        fixture.pool.stopNow();
        gate.open();
        fixture.awaitTerminated();
        assertEquals(List.of("slow begun by a", "slow ended by a"), fixture.log);
    }

    @Test
    void immediateStopOvertakesAGracefulOne() {
        pool(Kind.DEFERRED);
        fixture.join("a");
        Gate gate = fixture.gate();
        fixture.report(fixture.slow("slow", gate), fixture.quick("second"));
        fixture.pool.stop();
        fixture.pool.stopNow();
        fixture.pool.stop();
        gate.open();
        fixture.awaitTerminated();
        assertEquals(List.of("slow begun by a", "slow ended by a"), fixture.log);
    }

    @Test
    void handlerMayCloseThePoolItRunsIn() {
        pool(Kind.DEFERRED);
        joinAll(Kind.DEFERRED);
        fixture.set.report(fixture.set.register("closing", (handle, ready) -> fixture.pool.close()));
        fixture.awaitTerminated();
    }

    @Test
    void poolThatWasNeverStartedTerminatesAtOnce() throws InterruptedException {
        pool(Kind.DEFERRED);
        assertFalse(fixture.pool.awaitTermination(Duration.ZERO));
        fixture.pool.close();
        assertTrue(fixture.pool.awaitTermination(Duration.ofSeconds(Long.MAX_VALUE)));
        assertThrows(IllegalStateException.class, fixture.pool::start);
    }

    @Test
    void handleSetIsNotClosedUnderAPool() {
        pool(Kind.DEFERRED);
        assertEquals(
                "stop pool test before its handle set is closed",
                assertThrows(IllegalStateException.class, fixture.set::close).getMessage());
        assertThrows(
                IllegalStateException.class, () -> new LeaderFollowersPool(fixture.set, PoolConfig.of("second", 1)));
    }

    @Test
    void poolThatCannotBeMadeLeavesItsHandleSetsToTheCaller() {
        PostOnlySet good = new PostOnlySet(() -> {});
        MemoryHandleSet taken = new MemoryHandleSet(Deactivation.CLAIM);
        pool(Kind.DEFERRED);
        assertThrows(
                IllegalStateException.class,
                () -> new LeaderFollowersPool(List.of(good, fixture.set), PoolConfig.of("refused", 2)));
        assertThrows(
                IllegalArgumentException.class,
                () -> new LeaderFollowersPool(
                        List.of(good, refusing(new IllegalArgumentException("refused on purpose"), false)),
                        PoolConfig.of("refused", 2)));
        assertThrows(
                OutOfMemoryError.class,
                () -> new LeaderFollowersPool(
                        List.of(good, refusing(new OutOfMemoryError("refused on purpose"), true)),
                        PoolConfig.of("refused", 2)));
        assertNull(LeaderFollowersPool.of(good));
        try (LeaderFollowersPool second = new LeaderFollowersPool(List.of(good, taken), PoolConfig.of("second", 2))) {
            assertSame(second, LeaderFollowersPool.of(good));
        }
        good.close();
        taken.close();
    }

    @Test
    void handleSetOfAPoolThatCouldNotBeMadeCanBeClosed() {
        PostOnlySet good = new PostOnlySet(() -> {});
        assertThrows(
                OutOfMemoryError.class,
                () -> new LeaderFollowersPool(
                        List.of(good, refusing(new OutOfMemoryError("refused on purpose"), true)),
                        PoolConfig.of("refused", 2)));
        good.close();
        pool(Kind.DEFERRED);
    }

    /** A set that a pool cannot serve: found before, or while the pool is made. */
    private static HandleSet refusing(Throwable refusal, boolean late) {
        return new HandleSet(Deactivation.CLAIM) {
            @Override
            protected void requireServable(int threads, boolean eager) {
                if (!late) {
                    throw (RuntimeException) refusal;
                }
            }

            @Override
            protected Harvest newHarvest() {
                throw (Error) refusal;
            }

            @Override
            protected void interruptAwait() {}

            @Override
            protected void rearm(Handle handle) {}

            @Override
            protected void closeDescriptor(Handle handle) {}
        };
    }

    // ---- handlers that fail ----

    @ParameterizedTest
    @EnumSource(Kind.class)
    void handlersExceptionClosesItsHandleIsCountedAndThePoolGoesOn(Kind kind) {
        pool(kind);
        fixture.join("a");
        List<Throwable> causes = new ArrayList<>();
        Exception thrown = new IllegalStateException("thrown by a handler on purpose");
        FakeHandle failing = fixture.set.register("failing", new EventHandler() {
            @Override
            public void handleEvent(Handle handle, int ready) throws Exception {
                throw thrown;
            }

            @Override
            public void handleClosed(Handle handle, Throwable cause) {
                causes.add(cause);
                throw new IllegalArgumentException("thrown by handleClosed on purpose");
            }
        });
        fixture.set.refuseToClose(new IllegalStateException("thrown by closing on purpose"));
        fixture.report(failing, fixture.quick("next"));
        fixture.set.refuseToClose(null);
        assertEquals(List.of(thrown), causes);
        assertEquals(List.of("failing"), fixture.set.closed());
        assertTrue(failing.isClosed());
        assertFalse(HandleStates.isClaimed(failing));
        assertEquals(List.of("next by a"), fixture.log);
        assertEquals(3, fixture.pool.counters().failures());
        assertNull(fixture.pool.failure());
    }

    /** An owner ring is lost with its thread. */
    @ParameterizedTest
    @EnumSource(Kind.class)
    void virtualMachineErrorOfAHandlerCostsItsHandleAndNotTheThread(Kind kind) {
        pool(kind);
        fixture.join("a");
        FakeHandle failing = fixture.set.register("failing", (handle, ready) -> {
            throw new InternalError("thrown by a handler on purpose");
        });
        fixture.report(failing, fixture.quick("next"));
        assertTrue(failing.isClosed());
        assertFalse(HandleStates.isClaimed(failing));
        assertFalse(failing.isHeldByCaller());
        assertEquals(List.of("failing"), fixture.set.closed());
        assertEquals(List.of("next by a"), fixture.log);
        assertEquals(1, fixture.pool.counters().failures());
        assertNull(fixture.pool.failure());
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void virtualMachineErrorOfHandleClosedLetsTheClaimGo(Kind kind) {
        pool(kind);
        fixture.join("a");
        FakeHandle failing = fixture.set.register("failing", new EventHandler() {
            @Override
            public void handleEvent(Handle handle, int ready) throws Exception {
                throw new IOException("thrown by a handler on purpose");
            }

            @Override
            public void handleClosed(Handle handle, Throwable cause) {
                throw new InternalError("thrown by handleClosed on purpose");
            }
        });
        fixture.report(failing, fixture.quick("next"));
        assertTrue(failing.isClosed());
        assertFalse(HandleStates.isClaimed(failing));
        assertEquals(List.of("next by a"), fixture.log);
        assertEquals(2, fixture.pool.counters().failures());
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void brokenHandleSetFailsThePoolWithTheCauseAndEndsAllThreads(Kind kind) {
        pool(kind);
        joinAll(kind);
        IOException broken = new IOException("broken on purpose");
        fixture.set.breakWith(broken);
        fixture.awaitTerminated();
        assertSame(broken, fixture.pool.failure());
        fixture.awaitLeft("a");
        assertTrue(fixture.participant("a").wasStopped());
        assertThrows(IllegalStateException.class, () -> fixture.pool.join());
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void handleSetWithAMistakeFailsThePoolAsWell(Kind kind) {
        pool(kind);
        joinAll(kind);
        RuntimeException mistake = new IllegalArgumentException("a mistake on purpose");
        fixture.set.breakWith(mistake);
        fixture.awaitTerminated();
        assertSame(mistake, fixture.pool.failure());
    }
}
