package org.cabrank.lf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import org.cabrank.lf.dispatch.HandleStates;
import org.cabrank.lf.handle.Deactivation;
import org.cabrank.lf.handle.EventHandler;
import org.cabrank.lf.handle.Handle;
import org.cabrank.lf.handle.Ready;
import org.cabrank.lf.observe.ThreadState;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Handles whose handlers wait for a reply. */
@Timeout(300)
class NestedHandleTest extends NestedWaitFixture {
    // ---- the outer handle ----

    @ParameterizedTest
    @EnumSource(Kind.class)
    void furtherEventsOfTheOuterHandleAreProcessedMeanwhile(Kind kind) {
        pool(kind);
        twoHandlersOfOneHandleWait();
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void oneshotHandleIsArmedAgainBeforeEachWaitAndNotOnceMoreAfterIt(Kind kind) {
        pool(kind, Deactivation.ONESHOT);
        twoHandlersOfOneHandleWait();
        String armed = kind == Kind.SOLO ? "outer unclaimed" : "outer claimed"; // alone, a claim is not marked
        assertEquals(List.of(armed, armed), fixture.set.rearmed());
    }

    private void twoHandlersOfOneHandleWait() {
        fixture.join("a");
        Reply<String> first = reply();
        Reply<String> second = reply();
        FakeHandle outer = asking("outer", List.of(first, second));
        fixture.report(outer);
        fixture.report(outer);
        second.complete("second");
        first.complete("first");
        fixture.awaitIdle();
        assertEquals(
                List.of("outer asks by a", "outer asks by a", "outer has second by a", "outer has first by a"),
                fixture.log);
        assertFalse(HandleStates.isClaimed(outer));
    }

    /** Events that became ready before the wait began are not lost either. */
    @ParameterizedTest
    @EnumSource(Kind.class)
    void postToItselfBeforeANestedWaitIsDeliveredDuringTheWait(Kind kind) {
        pool(kind);
        fixture.join("a");
        Reply<String> reply = reply();
        FakeHandle outer = fixture.set.register("outer", (handle, ready) -> {
            if ((ready & Ready.POSTED) != 0) {
                reply.complete("posted");
            } else {
                handle.post(Ready.POSTED);
                log("outer has " + reply.await(LONG));
            }
        });
        fixture.report(outer);
        assertEquals(List.of("outer has posted by a"), fixture.log);
    }

    /** The outer frame must not let go of a claim that another thread has by then. */
    @ParameterizedTest
    @EnumSource(
            value = Kind.class,
            names = {"EAGER", "DEFERRED"})
    void claimIsFreedExactlyOnce(Kind kind) {
        pool(kind);
        fixture.join("a", "b");
        Reply<String> reply = reply();
        Gate inOuter = fixture.gate();
        Gate inSecond = fixture.gate();
        int[] calls = new int[1];
        FakeHandle outer = handle("outer", h -> {
            int call = ++calls[0];
            log("begin " + call);
            if (call == 1) {
                reply.await(LONG);
            } else if (call == 2) {
                inSecond.pass();
            }
            log("end " + call);
        });
        fixture.report(outer);
        // The other thread becomes leader, and claims the handle.
        FakeHandle pause = handle("pause", h -> {
            fixture.pool.promoteNewLeader();
            inOuter.pass();
        });
        String waiting = fixture.log.get(0).substring("begin 1 by ".length());
        String other = waiting.equals("a") ? "b" : "a";
        if (fixture.state(waiting) == ThreadState.LEADER) {
            fixture.report(pause); // by the one that waits
            fixture.report(outer);
            assertEquals("begin 2 by " + other, fixture.log.get(1));
            fixture.open(inOuter);
        } else {
            fixture.report(outer);
            assertEquals("begin 2 by " + other, fixture.log.get(1));
        }
        reply.complete("value");
        fixture.awaitIdle();
        assertEquals("end 1 by " + waiting, fixture.log.get(2));
        assertTrue(HandleStates.isClaimed(outer), "by the second call");
        fixture.report(outer);
        assertEquals(3, fixture.log.size(), "a third call while the second runs");
        fixture.open(inSecond);
        assertEquals(
                List.of("end 2 by " + other, "begin 3 by " + other, "end 3 by " + other), fixture.log.subList(3, 6));
        assertFalse(HandleStates.isClaimed(outer));
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void handlerThatFailsAfterItsWaitClosesItsHandleWithTheCause(Kind kind) {
        pool(kind);
        fixture.join("a");
        Reply<String> reply = reply();
        FakeHandle outer = handle("outer", h -> {
            reply.await(LONG);
            throw new IOException("thrown by a handler on purpose");
        });
        fixture.report(outer);
        reply.complete("value");
        fixture.awaitIdle();
        assertEquals(List.of("outer: java.io.IOException: thrown by a handler on purpose"), closed);
        assertEquals(1, fixture.pool.counters().failures());
        fixture.report(fixture.quick("quick"));
        assertEquals(List.of("quick by a"), fixture.log);
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void handlerMayCloseItsHandleBeforeItsWaitAndAfterIt(Kind kind) {
        pool(kind);
        fixture.join("a");
        for (boolean before : new boolean[] {true, false}) {
            closed.clear();
            Reply<String> reply = reply();
            FakeHandle outer = handle("outer", h -> {
                if (before) {
                    h.close();
                }
                reply.await(LONG);
                assertFalse(h.isHeldByCaller() && !before);
                h.close();
            });
            fixture.report(outer);
            reply.complete("value");
            fixture.awaitIdle();
            assertEquals(List.of("outer: null"), closed);
        }
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void innerHandlerThatFailsClosesItsOwnHandleOnly(Kind kind) {
        pool(kind);
        fixture.join("a");
        Reply<String> reply = reply();
        FakeHandle outer = asking("outer", reply);
        FakeHandle inner = handle("inner", h -> {
            throw new IOException("thrown by a handler on purpose");
        });
        fixture.report(outer);
        fixture.report(inner);
        assertTrue(inner.isClosed());
        assertFalse(outer.isClosed());
        reply.complete("value");
        fixture.awaitIdle();
        assertEquals(List.of("outer asks by a", "outer has value by a"), fixture.log);
        assertFalse(outer.isClosed());
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void handlerThatMustNotWaitIsRefusedAndKeepsItsHandle(Kind kind) {
        pool(kind);
        fixture.join("a");
        FakeHandle outer = fixture.set.register("outer", new EventHandler() {
            @Override
            public void handleEvent(Handle handle, int ready) {
                Reply<String> reply = reply();
                log(assertThrows(IllegalStateException.class, () -> reply.await(LONG))
                        .getMessage());
                log("held: " + handle.isHeldByCaller());
                reply.announce(new Member(0, Thread.currentThread())); // nobody else is waiting for it
            }

            @Override
            public void beforeNestedWait(Handle handle) {
                throw new IllegalStateException("refused on purpose");
            }
        });
        fixture.report(outer);
        fixture.report(outer);
        assertEquals(
                List.of("refused on purpose by a", "held: true by a", "refused on purpose by a", "held: true by a"),
                fixture.log);
        assertEquals(0, fixture.pool.counters().nestedWaits());
    }

    /** A concurrent handle is entered by other threads anyway, so nothing is let go of. */
    @ParameterizedTest
    @EnumSource(Kind.class)
    void handlerOfAConcurrentHandleMayWait(Kind kind) {
        pool(kind);
        fixture.join("a");
        Reply<String> reply = reply();
        FakeHandle before = fixture.quick("before");
        FakeHandle outer = fixture.set.registerConcurrent("outer", (handle, ready) -> {
            log("outer has " + reply.await(LONG));
            assertTrue(handle.isHeldByCaller());
        });
        fixture.report(before, outer);
        fixture.report(before);
        reply.complete("value");
        fixture.awaitIdle();
        assertEquals(List.of("before by a", "before by a", "outer has value by a"), fixture.log);
        assertFalse(HandleStates.isClaimed(outer));
        assertFalse(outer.isClosed());
    }
}
