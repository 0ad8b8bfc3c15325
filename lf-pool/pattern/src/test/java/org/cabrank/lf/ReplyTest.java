package org.cabrank.lf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.cabrank.lf.observe.ThreadState;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Threads from outside that take part in a pool while they wait for a reply. */
@Timeout(300)
@Tag("newest") // on an older JDK in a soak only
class ReplyTest {
    private static final Duration TIMEOUT = Duration.ofMillis(5);

    private PoolFixture fixture;

    @AfterEach
    void close() {
        fixture.close();
    }

    private void pool(int threads, boolean eager) {
        fixture = eager ? PoolFixture.eager(threads) : PoolFixture.deferred(threads);
    }

    /** A handle whose handler completes the reply. */
    private FakeHandle completing(Reply<String> reply, String value) {
        return fixture.set.register("brings " + value, (handle, ready) -> {
            fixture.log.add(value + " brought by " + Thread.currentThread().getName());
            reply.complete(value);
        });
    }

    // ---- the reply itself ----

    @Test
    void replyThatIsThereNeedsNoWait() throws Exception {
        pool(1, false);
        Reply<String> reply = fixture.pool.newReply();
        assertFalse(reply.isDone());
        assertTrue(reply.complete("value"));
        assertTrue(reply.isDone());
        assertEquals("value", reply.await(Duration.ZERO));
        assertEquals("value", reply.await(Duration.ZERO), "again");
        assertEquals(0, fixture.set.awaits());
    }

    @Test
    void firstOutcomeCounts() throws Exception {
        pool(1, false);
        Reply<String> reply = fixture.pool.newReply();
        assertTrue(reply.complete("first"));
        assertFalse(reply.complete("second"));
        assertFalse(reply.fail(new IOException("too late")));
        assertEquals("first", reply.await(Duration.ZERO));
    }

    @Test
    void replyMayBeNothing() throws Exception {
        pool(1, false);
        Reply<Void> reply = fixture.pool.newReply();
        assertTrue(reply.complete(null));
        assertTrue(reply.isDone());
        assertNull(reply.await(Duration.ZERO));
    }

    @Test
    void failureIsTheCauseOfWhatTheWaiterSees() {
        pool(1, false);
        Reply<String> reply = fixture.pool.newReply();
        IOException cause = new IOException("broken on purpose");
        assertTrue(reply.fail(cause));
        assertSame(
                cause,
                assertThrows(ExecutionException.class, () -> reply.await(TIMEOUT))
                        .getCause());
        assertThrows(NullPointerException.class, () -> fixture.pool.newReply().fail(null));
    }

    @Test
    void secondWaiterIsRefused() {
        pool(2, true);
        Reply<String> reply = fixture.pool.newReply();
        Waiter first = fixture.await("first", reply);
        Waiter second = fixture.await("second", reply);
        assertInstanceOf(IllegalStateException.class, second.thrown());
        assertEquals(
                "this reply is waited for already, by first (1)",
                second.thrown().getMessage());
        reply.complete("value");
        fixture.awaitOver(first);
        assertEquals("value", first.value());
    }

    // ---- taking part ----

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void waiterLeadsProcessesTheEventThatBringsItsReplyAndPassesLeadershipOn(boolean eager) {
        pool(3, eager);
        Reply<String> reply = fixture.pool.newReply();
        Waiter waiter = fixture.await("waiter", reply);
        fixture.join("a");
        assertEquals(Map.of("waiter", ThreadState.LEADER, "a", ThreadState.FOLLOWER), fixture.states());
        fixture.report(fixture.quick("quick"));
        assertFalse(waiter.isOver());
        FakeHandle brings = completing(reply, "value");
        if (eager) {
            fixture.report(fixture.quick("quicker")); // the two take turns
        }
        fixture.report(brings);
        fixture.awaitOver(waiter);
        assertEquals("value", waiter.value());
        assertTrue(fixture.log.contains("value brought by waiter"), fixture.log::toString);
        assertEquals(Map.of("a", ThreadState.LEADER), fixture.states());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void restOfTheHarvestIsLeftToTheNextLeader(boolean eager) {
        pool(3, eager);
        Reply<String> reply = fixture.pool.newReply();
        Waiter waiter = fixture.await("waiter", reply);
        FakeHandle rest = fixture.quick("rest");
        fixture.report(completing(reply, "value"), rest);
        fixture.awaitOver(waiter);
        assertEquals(List.of("value brought by waiter"), fixture.log);
        fixture.join("a");
        assertEquals(List.of("value brought by waiter", "rest by a"), fixture.log);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void leaderThatWaitsInTheHandleSetIsWokenByItsReply(boolean eager) {
        pool(3, eager);
        Reply<String> reply = fixture.pool.newReply();
        Waiter waiter = fixture.await("waiter", reply);
        fixture.join("a");
        reply.complete("value");
        fixture.awaitOver(waiter);
        assertEquals(1, fixture.set.interrupts());
        assertEquals(Map.of("a", ThreadState.LEADER), fixture.states());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void replyOfAFollowerWakesThatOneAlone(boolean eager) {
        pool(5, eager);
        fixture.join("a");
        Reply<String> reply = fixture.pool.newReply();
        Waiter other = fixture.await("other", fixture.pool.newReply());
        Waiter waiter = fixture.await("waiter", reply);
        Waiter another = fixture.await("another", fixture.pool.newReply());
        int interrupts = fixture.set.interrupts();
        reply.complete("value");
        fixture.awaitOver(waiter);
        assertEquals("value", waiter.value());
        assertEquals(1, fixture.time.unparks(waiter.thread));
        assertEquals(0, fixture.time.unparks(other.thread));
        assertEquals(0, fixture.time.unparks(another.thread));
        assertEquals(interrupts, fixture.set.interrupts(), "the leader goes on waiting");
        assertEquals(ThreadState.LEADER, fixture.state("a"));
    }

    @Test
    void onlyThreadOfAPoolOfOneWaits() {
        pool(1, false);
        Reply<String> reply = fixture.pool.newReply();
        Waiter waiter = fixture.await("waiter", reply);
        fixture.report(fixture.quick("quick"), completing(reply, "value"));
        fixture.awaitOver(waiter);
        assertEquals(List.of("quick by waiter", "value brought by waiter"), fixture.log);
        Reply<String> next = fixture.pool.newReply();
        Waiter again = fixture.await("again", next);
        next.complete("from elsewhere");
        fixture.awaitOver(again);
        assertEquals("from elsewhere", again.value());
    }

    // ---- no place in the pool ----

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void waiterThatFindsNoPlaceSleepsUntilItsReplyComes(int threads) {
        pool(threads, false);
        fixture.join("a");
        if (threads == 2) {
            fixture.join("b");
        }
        Reply<String> reply = fixture.pool.newReply();
        Waiter waiter = fixture.await("waiter", reply);
        assertFalse(fixture.states().containsKey("waiter"));
        fixture.report(completing(reply, "value"));
        fixture.awaitOver(waiter);
        assertEquals("value", waiter.value());
        assertEquals(List.of("value brought by a"), fixture.log);
    }

    @Test
    void waiterThatFindsNoPlaceGivesUpWhenItsTimeIsUp() {
        pool(1, false);
        fixture.join("a");
        Waiter waiter = fixture.await("waiter", fixture.pool.newReply(), TIMEOUT);
        fixture.advance(TIMEOUT.toNanos());
        fixture.awaitOver(waiter);
        assertInstanceOf(TimeoutException.class, waiter.thrown());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void placeThatBecomesFreeIsTaken(boolean eager) {
        pool(2, eager);
        Reply<String> first = fixture.pool.newReply();
        Reply<String> third = fixture.pool.newReply();
        Waiter leader = fixture.await("first", first);
        fixture.await("second", fixture.pool.newReply());
        Waiter crowd = fixture.await("third", third);
        assertFalse(fixture.states().containsKey("third"));
        first.complete("value");
        fixture.awaitOver(leader);
        fixture.time.await("the third takes part", () -> fixture.states().containsKey("third"));
        third.complete("value");
        fixture.awaitOver(crowd);
        assertEquals("value", crowd.value());
    }

    // ---- time ----

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void timedOutReplyIsStillPending(boolean eager) throws Exception {
        pool(3, eager);
        Reply<String> reply = fixture.pool.newReply();
        Reply<String> followers = fixture.pool.newReply();
        Waiter leader = fixture.await("leader", reply, TIMEOUT);
        Waiter follower = fixture.await("follower", followers, TIMEOUT);
        fixture.time.advance(TIMEOUT.toNanos());
        for (Waiter waiter : List.of(leader, follower)) {
            fixture.awaitOver(waiter);
            assertInstanceOf(TimeoutException.class, waiter.thrown());
            assertEquals("no reply within PT0.005S", waiter.thrown().getMessage());
        }
        assertFalse(reply.isDone());
        assertTrue(reply.complete("late"));
        assertEquals("late", reply.await(Duration.ZERO));
    }

    /** One of two orders of the same moment; {@link #timedOutReplyIsStillPending} is the other. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void replyAtTheMomentOfTheTimeoutIsReturned(boolean leads) {
        pool(3, true);
        if (!leads) {
            fixture.join("a");
        }
        Reply<String> reply = fixture.pool.newReply();
        Waiter waiter = fixture.await("waiter", reply, TIMEOUT);
        fixture.time.change(() -> {
            fixture.time.advance(TIMEOUT.toNanos());
            reply.complete("at the last moment");
        });
        fixture.awaitOver(waiter);
        assertEquals("at the last moment", waiter.value());
    }

    /** A leader's reply and a follower's time-out in one moment: the follower may be promoted while it leaves. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void waiterThatIsPromotedWhileItLeavesPassesLeadershipOn(boolean eager) {
        pool(4, eager);
        int rounds = Long.getLong("cabrank.soak.seconds") == null ? 10 : 100;
        for (int i = 0; i < rounds; i++) {
            Reply<String> reply = fixture.pool.newReply();
            Reply<String> alsoThere = fixture.pool.newReply();
            Waiter leader = fixture.await("leader", reply);
            Waiter stays = fixture.await("stays", fixture.pool.newReply(), TIMEOUT.multipliedBy(2));
            Waiter timedOut = fixture.await("timed out", fixture.pool.newReply(), TIMEOUT);
            Waiter replied = fixture.await("replied", alsoThere);
            fixture.time.change(() -> {
                fixture.time.advance(TIMEOUT.toNanos());
                reply.complete("value");
                alsoThere.complete("value");
            });
            fixture.awaitOver(leader);
            fixture.awaitOver(timedOut);
            fixture.awaitOver(replied);
            assertEquals(Map.of("stays", ThreadState.LEADER), fixture.states());
            fixture.advance(TIMEOUT.toNanos());
            fixture.awaitOver(stays);
            assertEquals(Map.of(), fixture.states());
        }
    }

    @Test
    void interruptDoesNotEndTheWaitAndIsRestored() {
        pool(2, true);
        fixture.join("a");
        for (String place : List.of("inside", "outside")) {
            Reply<String> reply = fixture.pool.newReply();
            Waiter waiter = fixture.await(place, reply);
            fixture.time.interrupt(waiter.thread);
            fixture.awaitIdle();
            assertFalse(waiter.isOver());
            reply.complete("value");
            fixture.awaitOver(waiter);
            assertTrue(waiter.leftInterrupted());
            if (place.equals("inside")) {
                fixture.join("b"); // the pool is full from now on
            }
        }
    }

    // ---- the end of the pool ----

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void everyWaiterIsNotifiedWhenThePoolStops(boolean now) {
        pool(2, true);
        Waiter leader = fixture.await("leader", fixture.pool.newReply());
        Waiter follower = fixture.await("follower", fixture.pool.newReply());
        Waiter outside = fixture.await("outside", fixture.pool.newReply());
        if (now) {
            fixture.pool.stopNow();
        } else {
            fixture.pool.stop();
        }
        for (Waiter waiter : List.of(leader, follower, outside)) {
            fixture.awaitOver(waiter);
            assertInstanceOf(PoolStoppedException.class, waiter.thrown());
            assertEquals(
                    "pool test stopped before the reply came", waiter.thrown().getMessage());
        }
        assertThrows(PoolStoppedException.class, () -> fixture.pool.newReply().await(TIMEOUT));
        fixture.awaitTerminated();
    }

    @Test
    void waiterLearnsWhyThePoolFailed() {
        pool(2, false);
        Waiter leader = fixture.await("leader", fixture.pool.newReply());
        Waiter follower = fixture.await("follower", fixture.pool.newReply());
        IOException cause = new IOException("the set broke on purpose");
        fixture.set.breakWith(cause);
        for (Waiter waiter : List.of(leader, follower)) {
            fixture.awaitOver(waiter);
            assertInstanceOf(PoolStoppedException.class, waiter.thrown());
            assertSame(cause, waiter.thrown().getCause());
        }
    }
}
