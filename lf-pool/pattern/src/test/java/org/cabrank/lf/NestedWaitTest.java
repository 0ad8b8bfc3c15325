package org.cabrank.lf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.TimeoutException;
import org.cabrank.lf.handle.Handle;
import org.cabrank.lf.observe.ThreadState;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Handlers that wait for a reply while their thread goes on serving the pool, one within the other. */
@Timeout(300)
class NestedWaitTest extends NestedWaitFixture {
    // ---- serving meanwhile ----

    @ParameterizedTest
    @EnumSource(Kind.class)
    void handlerThatWaitsServesOtherEventsAndThenItsReply(Kind kind) {
        pool(kind);
        fixture.join("a");
        Reply<String> reply = reply();
        fixture.report(asking("outer", reply));
        assertEquals(Map.of("a", ThreadState.LEADER), fixture.states());
        fixture.report(fixture.quick("quick"));
        fixture.report(handle("brings", h -> reply.complete("value")), fixture.quick("next"));
        assertEquals(List.of("outer asks by a", "quick by a", "outer has value by a", "next by a"), fixture.log);
        assertEquals(1, fixture.pool.counters().nestedWaits());
        assertEquals(4, fixture.pool.counters().processed());
        fixture.report(fixture.quick("quick"));
        assertEquals(5, fixture.log.size());
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void replyFromAnotherThreadWakesTheHandlerThatWaits(Kind kind) {
        pool(kind);
        fixture.join("a");
        Reply<String> reply = reply();
        fixture.report(asking("outer", reply));
        reply.complete("value");
        fixture.awaitIdle();
        assertEquals(List.of("outer asks by a", "outer has value by a"), fixture.log);
        assertEquals(Map.of("a", ThreadState.LEADER), fixture.states());
    }

    @ParameterizedTest
    @EnumSource(
            value = Kind.class,
            names = {"EAGER", "DEFERRED"})
    void handlerThatFollowsWhileItWaitsIsWokenByItsReplyAlone(Kind kind) {
        pool(kind);
        fixture.join("a", "b", "c");
        Reply<String> reply = reply();
        Gate gate = fixture.gate();
        FakeHandle outer = handle("outer", h -> {
            fixture.pool.promoteNewLeader();
            gate.pass();
            log("outer has " + reply.await(LONG));
        });
        fixture.report(outer);
        fixture.open(gate);
        assertEquals(ThreadState.FOLLOWER, fixture.state("a"));
        int others = unparks("b") + unparks("c");
        reply.complete("value");
        fixture.awaitIdle();
        assertEquals(List.of("outer has value by a"), fixture.log);
        assertEquals(others, unparks("b") + unparks("c"));
    }

    private int unparks(String name) {
        return fixture.time.unparks(fixture.participant(name).thread);
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void timersExpireWhileAHandlerWaits(Kind kind) {
        pool(kind);
        fixture.join("a");
        Reply<String> reply = reply();
        FakeHandle timed = handle("timed", h -> reply.complete("in time"));
        fixture.report(asking("outer", reply));
        timed.scheduleTimer(fixture.time.nanoTime() + 5_000);
        fixture.advance(5_000);
        assertEquals(List.of("outer asks by a", "outer has in time by a"), fixture.log);
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void handlerWhoseTimeIsUpGoesOn(Kind kind) {
        pool(kind);
        fixture.join("a");
        List<Throwable> thrown = Collections.synchronizedList(new ArrayList<>());
        FakeHandle outer = handle(
                "outer",
                h -> thrown.add(assertThrows(TimeoutException.class, () -> reply().await(Duration.ofNanos(5_000)))));
        fixture.report(outer);
        fixture.advance(5_000);
        assertEquals(1, thrown.size());
        fixture.report(fixture.quick("quick"));
        assertEquals(List.of("quick by a"), fixture.log);
        assertFalse(outer.isClosed());
    }

    // ---- depth ----

    @ParameterizedTest
    @EnumSource(Kind.class)
    void repliesAreUsedLastInFirstOut(Kind kind) {
        pool(kind);
        fixture.join("a");
        Reply<String> outer = reply();
        Reply<String> inner = reply();
        fixture.report(asking("outer", outer));
        fixture.report(asking("inner", inner));
        outer.complete("early");
        fixture.awaitIdle();
        assertEquals(List.of("outer asks by a", "inner asks by a"), fixture.log);
        inner.complete("late");
        fixture.awaitIdle();
        assertEquals(
                List.of("outer asks by a", "inner asks by a", "inner has late by a", "outer has early by a"),
                fixture.log);
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void replyIsUsedOnlyWhenTheInnerHandlerHasComeToItsEnd(Kind kind) {
        pool(kind);
        fixture.join("a");
        Reply<String> reply = reply();
        Gate gate = fixture.gate();
        fixture.report(asking("outer", reply));
        fixture.report(fixture.slow("inner", gate));
        reply.complete("value");
        fixture.awaitIdle();
        assertEquals(List.of(), logged("outer has"));
        fixture.open(gate);
        assertEquals(
                List.of("outer asks by a", "inner begun by a", "inner ended by a", "outer has value by a"),
                fixture.log);
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void depthIsBoundedAndTheRefusalCounted(Kind kind) {
        pool(kind);
        fixture.join("a");
        List<Reply<String>> replies = new ArrayList<>();
        FakeHandle handle = handle("deeper", h -> {
            Reply<String> reply = reply();
            replies.add(reply);
            try {
                log(reply.await(LONG));
            } catch (NestingLimitException busy) {
                log("busy");
            }
        });
        for (int i = 0; i < PoolConfig.NESTING_MAX_DEFAULT; i++) {
            fixture.report(handle);
        }
        assertEquals(List.of(), fixture.log);
        fixture.report(handle);
        fixture.report(handle);
        assertEquals(List.of("busy by a", "busy by a"), fixture.log);
        assertEquals(2, fixture.pool.counters().nestingRefusals());
        assertEquals(PoolConfig.NESTING_MAX_DEFAULT, fixture.pool.counters().nestedWaits());
        for (int i = PoolConfig.NESTING_MAX_DEFAULT - 1; i >= 0; i--) {
            replies.get(i).complete("reply " + i);
            fixture.awaitIdle();
        }
        assertEquals(PoolConfig.NESTING_MAX_DEFAULT, logged("reply ").size());
        fixture.report(handle); // there is room again
        assertEquals(2, logged("busy").size());
        replies.get(replies.size() - 1).complete("last");
        fixture.awaitIdle();
        assertEquals("last by a", fixture.log.get(fixture.log.size() - 1));
    }

    @Test
    void replyThatAnOuterHandlerWaitsForIsRefusedToAnInnerOne() {
        pool(Kind.SOLO);
        fixture.join("a");
        Reply<String> reply = reply();
        fixture.report(asking("outer", reply));
        fixture.report(handle(
                "inner",
                h -> log(assertThrows(IllegalStateException.class, () -> reply.await(LONG))
                        .getMessage())));
        assertEquals("this reply is waited for already, by a (1) by a", fixture.log.get(1));
        reply.complete("value");
        fixture.awaitIdle();
        assertEquals("outer has value by a", fixture.log.get(2));
    }

    // ---- two pools ----

    /** One of two that call each other back; its pool has one thread. */
    private static final class Peer implements AutoCloseable {
        static final int DEPTH = 10;

        private record Call(int depth, Reply<Integer> reply) {}

        final PoolFixture fixture = PoolFixture.deferred(1);
        private final Deque<Call> calls = new ConcurrentLinkedDeque<>();
        private final FakeHandle inbox = fixture.set.register("inbox", this::serve);
        private Peer other;

        Reply<Integer> call(int depth, Reply<Integer> reply) {
            calls.add(new Call(depth, reply));
            fixture.set.report(inbox);
            return reply;
        }

        private void serve(Handle handle, int ready) throws Exception {
            Call call = calls.remove();
            if (call.depth == 0) {
                // At once, the answer could be there before the caller asks for it, and need not wait.
                fixture.time.await("the last caller waits", () -> nestedWaits() + other.nestedWaits() == DEPTH);
            }
            int below = call.depth == 0
                    ? 0
                    : other.call(call.depth - 1, fixture.pool.newReply()).await(LONG);
            call.reply.complete(below + 1);
        }

        long nestedWaits() {
            return fixture.pool.counters().nestedWaits();
        }

        @Override
        public void close() {
            fixture.close();
        }
    }

    @Test
    void twoPeersWithOneThreadEachCallEachOtherBackTenLevelsDeep() throws Exception {
        pool(Kind.SOLO);
        Reply<Integer> reply = fixture.pool.newReply();
        try (Peer a = new Peer();
                Peer b = new Peer()) {
            a.other = b;
            b.other = a;
            a.fixture.join("a");
            b.fixture.join("b");
            a.call(Peer.DEPTH, reply);
            a.fixture.time.await("the reply comes back", reply::isDone);
            assertEquals(Peer.DEPTH + 1, reply.await(Duration.ZERO));
            assertEquals(Peer.DEPTH / 2, a.nestedWaits());
            assertEquals(Peer.DEPTH / 2, b.nestedWaits());
        }
    }
}
