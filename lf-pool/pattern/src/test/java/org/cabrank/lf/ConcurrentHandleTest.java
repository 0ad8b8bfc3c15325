package org.cabrank.lf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
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

/** Concurrent handles: several threads inside one handler, and the end of the handle when the last of them has left. */
@Timeout(300)
class ConcurrentHandleTest {
    private PoolFixture fixture = PoolFixture.eager(4);
    private Gate gate = fixture.gate();

    @AfterEach
    void close() {
        fixture.close();
    }

    private void pool(int threads, Promotion promotion, Deactivation deactivation) {
        fixture.close();
        fixture = new PoolFixture(PoolConfig.of("test", threads).withPromotion(promotion), deactivation);
        gate = fixture.gate();
    }

    /** Action of a handler behind the gate. */
    private interface Ending {
        void end(Handle handle, int call) throws Exception;
    }

    /** Every call waits at the gate; calls are numbered from 1 as they come. */
    private final class Gated implements EventHandler {
        private final AtomicInteger calls = new AtomicInteger();
        private final AtomicInteger inside = new AtomicInteger();
        private final Ending ending;

        Gated(Ending ending) {
            this.ending = ending;
        }

        @Override
        public void handleEvent(Handle handle, int ready) throws Exception {
            int call = calls.incrementAndGet();
            inside.incrementAndGet();
            fixture.log.add("begun " + Ready.describe(ready));
            try {
                gate.pass();
                ending.end(handle, call);
            } finally {
                fixture.log.add("ended");
                inside.decrementAndGet();
            }
        }

        @Override
        public void handleClosed(Handle handle, Throwable cause) {
            fixture.log.add("closed with " + inside.get() + " inside because of " + cause + ", held "
                    + handle.isHeldByCaller());
        }
    }

    private FakeHandle concurrent(Ending ending) {
        return fixture.set.registerConcurrent("shared", new Gated(ending));
    }

    private FakeHandle concurrent() {
        return concurrent((handle, call) -> {});
    }

    private static final String CLOSED = "closed with 0 inside because of null, held true";

    @Test
    void handleReportsWhetherItIsConcurrent() {
        assertTrue(concurrent().isConcurrent());
        assertFalse(fixture.quick("iterative").isConcurrent());
    }

    @ParameterizedTest
    @EnumSource(Deactivation.class)
    void twoThreadsAreInsideOneHandlerAtOnce(Deactivation deactivation) {
        pool(3, Promotion.eager(), deactivation);
        FakeHandle handle = concurrent();
        fixture.join("a", "b", "c");
        fixture.report(handle);
        fixture.report(handle);
        gate.awaitEntered(2);
        assertEquals(2, HandleStates.holders(handle));
        assertTrue(fixture.states().containsValue(ThreadState.LEADER), "the third watches");
        assertEquals(0, fixture.pool.counters().claimedAndMore());
        fixture.open(gate);
        assertEquals(List.of("begun READ", "begun READ", "ended", "ended"), fixture.log);
        assertEquals(0, HandleStates.holders(handle));
        assertEquals(List.of(), fixture.set.rearmed(), "it stays armed");
    }

    /** The only thread of a pool does not mark what it processes, unless it processes other events meanwhile. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void handleIsNotClosedWhileItsHandlerWaitsForAReply(int threads) {
        pool(threads, Promotion.eager(), Deactivation.CLAIM);
        Reply<String> reply = fixture.pool.newReply();
        int[] calls = {0};
        FakeHandle handle = concurrent((own, call) -> {
            calls[0] = call;
            if (call == 1) {
                fixture.log.add(reply.await(PoolFixture.MAX_GAP.multipliedBy(1_000)));
            } else {
                own.close();
            }
        });
        gate.open();
        fixture.join("a");
        fixture.report(handle);
        fixture.report(handle);
        assertEquals(2, calls[0]);
        fixture.time.change(() -> reply.complete("answered"));
        fixture.awaitIdle();
        assertEquals(
                List.of("begun READ", "begun READ", "ended", "answered", "ended", CLOSED),
                fixture.log.stream()
                        .filter(line -> !line.equals("begun POSTED"))
                        .toList());
        assertEquals(0, HandleStates.holders(handle));
    }

    @Test
    void followerThatTakesOverEntersBesideTheDeposedLeader() {
        pool(2, Promotion.deferred(PoolFixture.MAX_GAP), Deactivation.CLAIM);
        FakeHandle handle = concurrent();
        fixture.join("a", "b");
        fixture.set.report(handle, handle);
        gate.awaitEntered();
        fixture.awaitIdle();
        fixture.advance(PoolFixture.LOOK_NS);
        fixture.advance(PoolFixture.LOOK_NS);
        gate.awaitEntered(2);
        assertEquals(2, HandleStates.holders(handle));
        fixture.open(gate);
        assertEquals(2, fixture.pool.counters().processed());
    }

    @Test
    void postAndTimerReachAConcurrentHandleThatIsBeingProcessed() {
        fixture.join("a", "b", "c", "d");
        FakeHandle handle = concurrent();
        fixture.report(handle);
        handle.post(Ready.POSTED);
        gate.awaitEntered(2);
        fixture.awaitIdle();
        handle.scheduleTimer(fixture.set.nanoTime() + 500);
        fixture.advance(500);
        gate.awaitEntered(3);
        assertEquals(List.of("begun READ", "begun POSTED", "begun TIMER"), fixture.log);
        assertEquals(3, HandleStates.holders(handle));
    }

    @Test
    void closeFromOutsideComesAfterTheLastHasLeftAndLetsNobodyIn() {
        fixture.join("a", "b", "c");
        FakeHandle handle = concurrent();
        fixture.report(handle);
        fixture.report(handle);
        gate.awaitEntered(2);
        handle.close();
        handle.close();
        fixture.report(handle);
        handle.post(Ready.POSTED);
        fixture.awaitIdle();
        assertFalse(handle.isClosed());
        assertEquals(2, HandleStates.holders(handle), "the event found the door closed");
        fixture.open(gate);
        assertEquals(List.of("begun READ", "begun READ", "ended", "ended", CLOSED), fixture.log);
        assertEquals(List.of("shared"), fixture.set.closed());
        assertEquals(0, fixture.set.handleCount());
        fixture.set.report(List.of(FakeHandleSet.readable(handle)));
        fixture.awaitIdle();
        assertEquals(1, fixture.pool.counters().staleEvents());
        assertEquals(1, fixture.pool.counters().claimedAndMore(), "the one that came after the close");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void closeWithNobodyInsideIsDoneByTheLeader(int threads) {
        pool(threads, Promotion.eager(), Deactivation.CLAIM);
        fixture.join("a");
        FakeHandle handle = concurrent();
        handle.close();
        fixture.awaitIdle();
        assertEquals(List.of(CLOSED), fixture.log);
        assertTrue(handle.isClosed());
    }

    @Test
    void closeInsideIsDoneWhenTheLastHasLeft() {
        Gate second = fixture.gate();
        fixture.join("a", "b", "c");
        FakeHandle handle = concurrent((h, call) -> {
            if (call == 1) {
                assertTrue(h.isHeldByCaller());
                h.close();
                fixture.log.add("closed at once: " + h.isClosed());
            } else {
                second.pass();
            }
        });
        fixture.report(handle);
        fixture.report(handle);
        gate.awaitEntered(2);
        fixture.open(gate);
        second.awaitEntered();
        fixture.awaitIdle();
        assertEquals(List.of("begun READ", "begun READ", "closed at once: false", "ended"), fixture.log);
        fixture.open(second);
        assertEquals(List.of("ended", CLOSED), fixture.log.subList(4, 6));
        assertEquals(6, fixture.log.size());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void closeInsideWithoutOthersIsDoneAtTheEndOfTheCall(int threads) {
        pool(threads, Promotion.eager(), Deactivation.CLAIM);
        gate.open();
        fixture.join("a");
        FakeHandle handle = concurrent((h, call) -> h.closeBecauseOf(new IOException("on purpose")));
        fixture.report(handle);
        assertEquals(
                List.of(
                        "begun READ",
                        "ended",
                        "closed with 0 inside because of java.io.IOException: on purpose, held true"),
                fixture.log);
        assertEquals(List.of("shared"), fixture.set.closed());
    }

    @Test
    void failureOfOneCallClosesWithThatCauseWhenTheOthersHaveLeft() {
        Gate second = fixture.gate();
        fixture.join("a", "b", "c");
        FakeHandle handle = concurrent((h, call) -> {
            if (call == 1) {
                throw new IOException("the first");
            }
            second.pass();
            throw new IOException("the second");
        });
        fixture.report(handle);
        fixture.report(handle);
        gate.awaitEntered(2);
        fixture.open(gate);
        second.awaitEntered();
        fixture.awaitIdle();
        assertFalse(handle.isClosed());
        fixture.report(handle);
        assertEquals(1, HandleStates.holders(handle), "nobody is let in after a failure");
        fixture.open(second);
        assertEquals(2, fixture.pool.counters().failures());
        assertEquals(
                "closed with 0 inside because of java.io.IOException: the first, held true",
                fixture.log.get(fixture.log.size() - 1));
        assertEquals(List.of("shared"), fixture.set.closed());
    }

    @Test
    void stopWhileThreadsAreInsideWaitsForThem() {
        fixture.join("a", "b", "c");
        FakeHandle handle = concurrent();
        fixture.report(handle);
        fixture.report(handle);
        gate.awaitEntered(2);
        fixture.pool.stop();
        fixture.awaitIdle();
        assertFalse(fixture.pool.isTerminated());
        fixture.open(gate);
        fixture.awaitTerminated();
        assertEquals(2, fixture.pool.counters().processed());
        assertFalse(handle.isClosed(), "stopping closes nothing");
        assertEquals(0, HandleStates.holders(handle));
    }

    @Test
    void stopNowWithACloseRequestedInsideStillCloses() {
        fixture.join("a", "b", "c");
        FakeHandle handle = concurrent((h, call) -> h.close());
        fixture.report(handle);
        fixture.report(handle);
        gate.awaitEntered(2);
        fixture.pool.stopNow();
        fixture.open(gate);
        fixture.awaitTerminated();
        assertTrue(handle.isClosed());
        assertEquals(CLOSED, fixture.log.get(fixture.log.size() - 1));
    }

    @ParameterizedTest
    @EnumSource(Deactivation.class)
    void deactivatedConcurrentHandleLetsThoseInsideFinishAndNobodyIn(Deactivation deactivation) {
        pool(3, Promotion.eager(), deactivation);
        fixture.join("a", "b", "c");
        FakeHandle handle = concurrent();
        fixture.report(handle);
        fixture.pool.deactivateHandle(handle);
        fixture.report(handle);
        assertEquals(1, HandleStates.holders(handle));
        fixture.open(gate);
        assertEquals(List.of("begun READ", "ended"), fixture.log);
        fixture.pool.reactivateHandle(handle);
        fixture.awaitIdle();
        assertEquals(List.of("begun READ", "ended", "begun READ", "ended"), fixture.log);
        assertEquals(List.of(), fixture.set.rearmed());
    }

    @Test
    void onlyTheHandlersThreadsHoldAConcurrentHandle() {
        fixture.join("a", "b");
        FakeHandle handle = concurrent();
        assertFalse(handle.isHeldByCaller());
        fixture.report(handle);
        gate.awaitEntered();
        assertFalse(handle.isHeldByCaller());
        assertThrows(IllegalStateException.class, () -> handle.closeBecauseOf(new IOException("from without")));
        FakeHandle asking = fixture.set.register("asking", (h, ready) -> fixture.log.add("" + handle.isHeldByCaller()));
        fixture.report(asking);
        assertEquals("false", fixture.log.get(fixture.log.size() - 1), "another handle's handler");
    }

    @Test
    void errorClosesTheHandleAfterTheOtherThreadHasLeft() {
        Gate second = fixture.gate();
        fixture.join("a", "b", "c");
        InternalError thrown = new InternalError("on purpose");
        FakeHandle handle = concurrent((h, call) -> {
            if (call == 1) {
                throw thrown;
            }
            second.pass();
        });
        fixture.report(handle);
        fixture.report(handle);
        gate.awaitEntered(2);
        fixture.open(gate);
        assertFalse(handle.isClosed());
        fixture.open(second);
        assertEquals(
                "closed with 0 inside because of " + thrown + ", held true", fixture.log.get(fixture.log.size() - 1));
    }
}
