package org.cabrank.lf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.cabrank.lf.dispatch.Dispatcher;
import org.cabrank.lf.dispatch.HandleStates;
import org.cabrank.lf.handle.Deactivation;
import org.cabrank.lf.handle.EventHandler;
import org.cabrank.lf.handle.Handle;
import org.cabrank.lf.handle.Ready;
import org.cabrank.lf.observe.ThreadState;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Dispatch of an event, a post, a timer and a close: once, in order, never twice at a time. */
@Timeout(300)
class DispatchTest {
    private PoolFixture fixture = PoolFixture.eager(3);

    @AfterEach
    void close() {
        fixture.close();
    }

    private void pool(int threads, Deactivation deactivation) {
        fixture.close();
        fixture = new PoolFixture(PoolConfig.of("test", threads).withPromotion(Promotion.eager()), deactivation);
    }

    private FakeHandle telling(String name) {
        return fixture.set.register(name, (handle, ready) -> fixture.log.add(Ready.describe(ready)));
    }

    // ---- claims ----

    @Test
    void eventForAClaimedHandleIsProcessedByItsHolderInASecondRound() {
        fixture.join("a", "b", "c");
        Gate gate = fixture.gate();
        FakeHandle slow = fixture.slow("slow", gate);
        fixture.report(slow);
        fixture.report(slow);
        fixture.report(slow);
        assertEquals(List.of("slow begun by a"), fixture.log);
        assertEquals(ThreadState.LEADER, fixture.state("c"), "it noted the events and goes on leading");
        assertEquals(2, fixture.pool.counters().claimedAndMore());
        fixture.open(gate);
        assertEquals(List.of("slow begun by a", "slow ended by a", "slow begun by a", "slow ended by a"), fixture.log);
        assertFalse(HandleStates.isClaimed(slow));
    }

    @Test
    void holderThatHasGoneRoundManyTimesLetsOthersHaveATurn() {
        pool(1, Deactivation.CLAIM);
        FakeHandle other = fixture.quick("other");
        int[] rounds = new int[1];
        FakeHandle restless = fixture.set.register("restless", (handle, ready) -> {
            if (++rounds[0] < 3 * Dispatcher.ROUNDS_MAX) {
                handle.post(Ready.POSTED);
            }
            fixture.log.add("restless");
        });
        fixture.set.report(restless);
        fixture.set.report(other);
        fixture.join("a");
        assertEquals(3 * Dispatcher.ROUNDS_MAX, rounds[0], "nothing is lost by letting go");
        int turn = fixture.log.indexOf("other by a");
        assertTrue(turn > 0 && turn <= 2 * Dispatcher.ROUNDS_MAX, "at " + turn);
    }

    @Test
    void handlerThatPostsItselfForEverDoesNotStarveTheOthers() {
        pool(1, Deactivation.CLAIM);
        Gate gate = fixture.gate();
        FakeHandle last = fixture.slow("last", gate);
        int[] calls = new int[1];
        FakeHandle restless = fixture.set.register("restless", (handle, ready) -> {
            if (++calls[0] == 100) {
                fixture.set.report(last);
            }
            handle.post(Ready.POSTED);
        });
        fixture.set.report(restless);
        JoiningThread only = new JoiningThread("only", fixture.pool, null);
        gate.awaitEntered();
        assertTrue(calls[0] < 100 + 3 * Dispatcher.ROUNDS_MAX, "called " + calls[0] + " times");
        fixture.pool.stopNow();
        gate.open();
        fixture.time.await("the thread has left", only::hasLeft);
    }

    @Test
    void staleEventOfAReusedSlotIsDroppedAndCounted() {
        fixture.join("a");
        FakeHandle first = telling("first");
        FakeHandleSet.Event late = FakeHandleSet.readable(first);
        first.close();
        fixture.awaitIdle();
        assertEquals(List.of("first"), fixture.set.closed());
        FakeHandle successor = telling("successor");
        assertEquals(HandleStates.slot(first), HandleStates.slot(successor));
        fixture.set.report(List.of(late));
        fixture.awaitIdle();
        assertEquals(List.of(), fixture.log);
        assertEquals(1, fixture.pool.counters().staleEvents());
    }

    @Test
    void eventWhoseHandleTheReactorDoesNotFindIsDroppedAndCounted() {
        fixture.join("a");
        FakeHandle other = telling("other");
        fixture.set.report(List.of(new FakeHandleSet.Event(null, Ready.READ), FakeHandleSet.readable(other)));
        fixture.awaitIdle();
        assertEquals(List.of("READ"), fixture.log);
        assertEquals(1, fixture.pool.counters().staleEvents());
    }

    @Test
    void eventBehindACloseInTheSameHarvestIsStale() {
        pool(1, Deactivation.CLAIM);
        FakeHandle victim = telling("victim");
        FakeHandle self = fixture.set.register("self", (handle, ready) -> handle.close());
        fixture.join("a");
        fixture.set.report(List.of(FakeHandleSet.readable(self), FakeHandleSet.readable(self)));
        fixture.awaitIdle();
        assertEquals(1, fixture.pool.counters().staleEvents());
        fixture.report(victim);
        assertEquals(List.of("READ"), fixture.log);
    }

    // ---- close ----

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void closeFromAnotherThreadComesAfterTheHandlerHasReturned(int threads) {
        pool(threads, Deactivation.CLAIM);
        fixture.join("a");
        Gate gate = fixture.gate();
        FakeHandle slow = fixture.set.register("slow", new EventHandler() {
            @Override
            public void handleEvent(Handle handle, int ready) {
                gate.pass();
                fixture.log.add("returns, closed: " + handle.isClosed());
            }

            @Override
            public void handleClosed(Handle handle, Throwable cause) {
                fixture.log.add("closed because of " + cause);
            }
        });
        fixture.report(slow);
        slow.close();
        slow.close();
        fixture.awaitIdle();
        assertFalse(slow.isClosed());
        fixture.open(gate);
        assertEquals(List.of("returns, closed: false", "closed because of null"), fixture.log);
        assertEquals(List.of("slow"), fixture.set.closed());
        assertEquals(0, fixture.set.handleCount());
    }

    @Test
    void closeInsideTheHandlerIsAtOnceAndFinal() {
        fixture.join("a");
        FakeHandle handle = fixture.set.register("handle", (h, ready) -> {
            h.post(Ready.POSTED);
            h.closeBecauseOf(new IOException("closed on purpose"));
            fixture.log.add("closed: " + h.isClosed() + ", " + fixture.set.closed());
            h.close();
        });
        fixture.report(handle);
        handle.post(Ready.POSTED);
        fixture.awaitIdle();
        assertEquals(List.of("closed: true, [handle]"), fixture.log);
        assertEquals(List.of("handle"), fixture.set.closed());
        assertThrows(IllegalStateException.class, () -> handle.closeBecauseOf(null), "from without");
    }

    // ---- deactivation ----

    @ParameterizedTest
    @EnumSource(Deactivation.class)
    void deactivatedHandleIsNotDispatchedAndGetsWhatItMissedAfterwards(Deactivation deactivation) {
        for (int threads : new int[] {1, 3}) {
            pool(threads, deactivation);
            fixture.join("a");
            FakeHandle handle = telling("handle");
            fixture.pool.deactivateHandle(handle);
            fixture.report(handle);
            handle.post(Ready.POSTED);
            handle.scheduleTimer(fixture.set.nanoTime() + 500);
            fixture.advance(500);
            assertEquals(List.of(), fixture.log);
            fixture.pool.reactivateHandle(handle);
            fixture.awaitIdle();
            assertEquals(List.of("READ|TIMER|POSTED"), fixture.log);
            fixture.report(handle);
            assertEquals(List.of("READ|TIMER|POSTED", "READ"), fixture.log);
        }
    }

    @Test
    void deactivatingTwiceOrAClosedHandleIsRefused() {
        fixture.join("a");
        FakeHandle handle = telling("handle");
        fixture.pool.deactivateHandle(handle);
        assertEquals(
                "handle is deactivated already",
                assertThrows(IllegalStateException.class, () -> fixture.pool.deactivateHandle(handle))
                        .getMessage());
        fixture.pool.reactivateHandle(handle);
        assertEquals(
                "handle was not deactivated",
                assertThrows(IllegalStateException.class, () -> fixture.pool.reactivateHandle(handle))
                        .getMessage());
        handle.close();
        fixture.awaitIdle();
        assertEquals(
                "handle is closed",
                assertThrows(IllegalStateException.class, () -> fixture.pool.deactivateHandle(handle))
                        .getMessage());
    }

    @Test
    void handleOfAnotherSetIsRefused() {
        FakeHandle foreign =
                new FakeHandleSet(Deactivation.CLAIM, fixture.time).register("foreign", (handle, ready) -> {});
        assertEquals(
                "foreign is not of a handle set of pool test",
                assertThrows(IllegalArgumentException.class, () -> fixture.pool.deactivateHandle(foreign))
                        .getMessage());
        assertThrows(IllegalArgumentException.class, () -> fixture.pool.reactivateHandle(foreign));
    }

    @ParameterizedTest
    @EnumSource(Deactivation.class)
    void handlerMayDeactivateItsOwnHandle(Deactivation deactivation) {
        pool(3, deactivation);
        fixture.join("a", "b");
        FakeHandle handle = fixture.set.register("handle", (h, ready) -> {
            fixture.log.add(Ready.describe(ready));
            if ((ready & Ready.READ) != 0) {
                fixture.pool.deactivateHandle(h);
                h.post(Ready.POSTED);
            }
        });
        fixture.report(handle);
        assertEquals(List.of("READ"), fixture.log);
        assertFalse(HandleStates.isClaimed(handle));
        assertEquals(List.of(), fixture.set.rearmed(), "it would be reported again");
        fixture.pool.reactivateHandle(handle);
        fixture.awaitIdle();
        assertEquals(List.of("READ", "POSTED"), fixture.log);
        assertEquals(
                deactivation == Deactivation.ONESHOT ? List.of("handle claimed") : List.of(), fixture.set.rearmed());
    }

    @ParameterizedTest
    @EnumSource(Deactivation.class)
    void deactivatedHandleCanBeClosed(Deactivation deactivation) {
        pool(3, deactivation);
        fixture.join("a");
        FakeHandle handle = telling("handle");
        fixture.pool.deactivateHandle(handle);
        handle.close();
        fixture.awaitIdle();
        assertTrue(handle.isClosed());
        assertEquals(List.of(), fixture.log);
        fixture.pool.reactivateHandle(handle);
        fixture.awaitIdle();
        assertEquals(List.of(), fixture.set.rearmed());
    }

    // ---- one-shot ----

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void oneShotHandleIsArmedAgainAfterItsHandlerAndBeforeItsClaimIsLetGo(int threads) {
        pool(threads, Deactivation.ONESHOT);
        fixture.join("a");
        List<String> rearmedAtCall = new ArrayList<>();
        FakeHandle handle = fixture.set.register("handle", (h, ready) -> rearmedAtCall.addAll(fixture.set.rearmed()));
        fixture.report(handle);
        assertEquals(List.of(), rearmedAtCall);
        assertEquals(1, fixture.set.rearmed().size());
        if (threads > 1) {
            assertEquals(List.of("handle claimed"), fixture.set.rearmed());
        }
        assertFalse(HandleStates.isClaimed(handle));
    }

    @Test
    void oneShotHandleThatTheKernelDidNotReportIsNotArmed() {
        pool(3, Deactivation.ONESHOT);
        fixture.join("a");
        telling("handle").post(Ready.POSTED);
        fixture.awaitIdle();
        assertEquals(List.of("POSTED"), fixture.log);
        assertEquals(List.of(), fixture.set.rearmed());
    }

    @Test
    void closedHandleIsNotArmed() {
        pool(3, Deactivation.ONESHOT);
        fixture.join("a");
        fixture.report(fixture.set.register("handle", (handle, ready) -> handle.close()));
        assertEquals(List.of(), fixture.set.rearmed());
    }

    @Test
    void handleThatCannotBeArmedIsClosedWithTheCause() {
        pool(3, Deactivation.ONESHOT);
        fixture.join("a");
        IOException refused = new IOException("refused on purpose");
        fixture.set.refuseToRearm(refused);
        List<Throwable> causes = new ArrayList<>();
        fixture.report(fixture.set.register("handle", new EventHandler() {
            @Override
            public void handleEvent(Handle handle, int ready) {}

            @Override
            public void handleClosed(Handle handle, Throwable cause) {
                causes.add(cause);
            }
        }));
        assertEquals(List.of(refused), causes);
        assertEquals(List.of("handle"), fixture.set.closed());
    }
}
