package org.cabrank.lf;

import static org.cabrank.lf.PoolFixture.LOOK_NS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.cabrank.lf.observe.ThreadState;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Leadership while handlers wait for replies, and how such waits end with the pool or the thread. */
@Timeout(300)
class NestedLeadershipTest extends NestedWaitFixture {
    // ---- leadership ----

    @Test
    void leaderOfDeferredPromotionGoesOnLeadingWhileItsHandlerWaits() {
        pool(Kind.DEFERRED);
        fixture.join("a", "b");
        Reply<String> reply = reply();
        fixture.report(asking("outer", reply));
        assertEquals(Map.of("a", ThreadState.LEADER, "b", ThreadState.FOLLOWER), fixture.states());
        fixture.advance(100 * LOOK_NS);
        assertEquals(ThreadState.LEADER, fixture.state("a"), "it waits for events and is not to be deposed");
        fixture.report(fixture.quick("quick"));
        assertEquals("quick by a", fixture.log.get(1));
        assertEquals(0, fixture.pool.counters().takeovers());
    }

    @Test
    void handlerThatWaitsIsDeposedWhileItProcessesAnotherEvent() {
        pool(Kind.DEFERRED);
        fixture.join("a", "b");
        Reply<String> reply = reply();
        Gate gate = fixture.gate();
        fixture.report(asking("outer", reply));
        fixture.report(fixture.slow("slow", gate));
        fixture.advance(LOOK_NS);
        fixture.advance(LOOK_NS);
        assertEquals(ThreadState.LEADER, fixture.state("b"));
        fixture.open(gate);
        assertEquals(ThreadState.FOLLOWER, fixture.state("a"));
        fixture.report(handle("brings", h -> reply.complete("value")));
        assertEquals("outer has value by a", fixture.log.get(3));
        assertEquals(Map.of("a", ThreadState.FOLLOWER, "b", ThreadState.LEADER), fixture.states());
    }

    @Test
    void handlerThatWasDeposedBeforeItWaitsFollows() {
        pool(Kind.DEFERRED);
        fixture.join("a", "b");
        Reply<String> reply = reply();
        Gate gate = fixture.gate();
        fixture.report(handle("outer", h -> {
            gate.pass();
            log("outer has " + reply.await(LONG));
        }));
        fixture.advance(LOOK_NS);
        fixture.advance(LOOK_NS);
        assertEquals(ThreadState.LEADER, fixture.state("b"));
        fixture.open(gate);
        assertEquals(ThreadState.FOLLOWER, fixture.state("a"));
        fixture.report(handle("brings", h -> reply.complete("value")));
        assertEquals(List.of("outer has value by a"), fixture.log);
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void promotingAfterTheWaitHasNothingToPassOn(Kind kind) {
        pool(kind);
        fixture.join("a");
        Reply<String> reply = reply();
        fixture.report(handle("outer", h -> {
            reply.await(LONG);
            log("promoted: " + fixture.pool.promoteNewLeader());
        }));
        reply.complete("value");
        fixture.awaitIdle();
        assertEquals(List.of("promoted: false by a"), fixture.log);
        assertEquals(Map.of("a", ThreadState.LEADER), fixture.states());
    }

    /** All threads wait for what only their own pool can bring. */
    @ParameterizedTest
    @EnumSource(Kind.class)
    void poolWhoseThreadsAllWaitStillServes(Kind kind) {
        pool(kind);
        String[] names = kind == Kind.SOLO ? new String[] {"a"} : new String[] {"a", "b", "c", "d"};
        fixture.join(names);
        List<Reply<String>> replies = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            replies.add(reply());
            fixture.report(asking("asks " + i, replies.get(i)));
        }
        assertEquals(8, fixture.log.size());
        for (int i = 7; i >= 0; i--) {
            Reply<String> reply = replies.get(i);
            fixture.report(handle("brings", h -> reply.complete("value")));
        }
        assertEquals(
                8,
                fixture.log.stream().filter(line -> line.contains("has value")).count());
    }

    // ---- the end ----

    @ParameterizedTest
    @EnumSource(Kind.class)
    void errorOfAHandlerDoesNotReachTheHandlersThatWaitOnItsThread(Kind kind) {
        pool(kind);
        fixture.join("a");
        VirtualMachineError thrown = new InternalError("thrown by a handler on purpose");
        FakeHandle outer = asking("outer", reply());
        FakeHandle middle = asking("middle", reply());
        FakeHandle inner = handle("inner", h -> {
            throw thrown;
        });
        FakeHandle bystander = asking("bystander", reply());
        fixture.report(outer);
        fixture.report(middle);
        fixture.report(inner);
        assertEquals(List.of("inner: " + thrown), List.copyOf(closed));
        assertFalse(outer.isClosed());
        assertFalse(middle.isClosed());
        fixture.report(fixture.quick("quick"));
        assertTrue(fixture.log.contains("quick by a"), fixture.log::toString);
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void gracefulStopEndsEveryWait(Kind kind) {
        stopEndsEveryWait(kind, () -> fixture.pool.stop());
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void hardStopEndsEveryWait(Kind kind) {
        stopEndsEveryWait(kind, () -> fixture.pool.stopNow());
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void failureOfTheSetEndsEveryWait(Kind kind) {
        stopEndsEveryWait(kind, () -> fixture.set.breakWith(new IOException("the set broke on purpose")));
        assertInstanceOf(IOException.class, fixture.pool.failure());
    }

    private void stopEndsEveryWait(Kind kind, Runnable stop) {
        pool(kind);
        String[] names = kind == Kind.SOLO ? new String[] {"a"} : new String[] {"a", "b"};
        fixture.join(names);
        List<Throwable> thrown = Collections.synchronizedList(new ArrayList<>());
        for (int i = 0; i < 4; i++) {
            fixture.report(handle(
                    "outer", h -> thrown.add(assertThrows(PoolStoppedException.class, () -> reply().await(LONG)))));
        }
        stop.run();
        fixture.awaitTerminated();
        assertEquals(4, thrown.size());
        for (String name : names) {
            fixture.awaitLeft(name);
            assertNull(fixture.participant(name).thrown());
        }
    }

    /** Events that were detected before a graceful stop are processed, so a reply among them is still used. */
    @ParameterizedTest
    @EnumSource(Kind.class)
    void replyThatWasDetectedBeforeAGracefulStopIsUsed(Kind kind) {
        pool(kind);
        fixture.join("a");
        Reply<String> reply = reply();
        FakeHandle stops = handle("stops", h -> fixture.pool.stop());
        FakeHandle brings = handle("brings", h -> reply.complete("value"));
        fixture.report(asking("outer", reply));
        fixture.report(stops, brings);
        fixture.awaitTerminated();
        assertEquals(List.of("outer asks by a", "outer has value by a"), fixture.log);
    }
}
