package org.cabrank.lf;

import static org.cabrank.lf.fixture.NumberedText.message;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import org.cabrank.lf.bound.BoundCounters;
import org.cabrank.lf.bound.BoundLimits;
import org.cabrank.lf.bound.BoundThreadPool;
import org.cabrank.lf.bound.ExpectedReply;
import org.cabrank.lf.bound.ReplyParser;
import org.cabrank.lf.bound.SendQueueFullException;
import org.cabrank.lf.fixture.NumberedText;
import org.cabrank.lf.handle.Ready;
import org.cabrank.lf.observe.ThreadState;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Threads that share a connection and wait for their own replies, in virtual time. */
@Timeout(300)
@Tag("newest") // on an older JDK in a soak only
class BoundThreadPoolTest extends BoundFixture {
    @Test
    void replyWakesOnlyTheFollowerThatWaitsForIt() {
        Waiter a = call("a", 1);
        Waiter b = call("b", 2);
        Waiter c = call("c", 3);
        assertEquals(
                Map.of("a", ThreadState.LEADER, "b", ThreadState.FOLLOWER, "c", ThreadState.FOLLOWER),
                fixture.states());
        deliver(message(3, "three"));
        assertAnswer("three", c);
        assertEquals(1, fixture.time.unparks(c.thread));
        assertEquals(0, fixture.time.unparks(b.thread));
        assertEquals(ThreadState.LEADER, fixture.state("a"));
        deliver(message(1, "one"));
        assertAnswer("one", a);
        deliver(message(2, "two"));
        assertAnswer("two", b);
        assertEquals(3, bound.counters().answered());
    }

    @Test
    void leaderWhoseReplyHasComeHandsLeadershipToTheFollowerWhoseTurnItIs() {
        Waiter a = call("a", 1);
        call("b", 2);
        call("c", 3);
        deliver(message(1, "one"));
        assertAnswer("one", a);
        assertEquals(Map.of("b", ThreadState.LEADER, "c", ThreadState.FOLLOWER), fixture.states(), "fifo");
    }

    @Test
    void repliesComeInAnyOrderMergedAndSplit() {
        Waiter a = call("a", 1);
        Waiter b = call("b", 2);
        Waiter c = call("c", 3);
        ByteBuffer last = message(1, "one");
        ByteBuffer half = last.duplicate().limit(6);
        deliver(message(3, "three"), message(2, "two"), half);
        assertAnswer("three", c);
        assertAnswer("two", b);
        assertFalse(a.isOver());
        deliver(last.position(6));
        assertAnswer("one", a);
    }

    @Test
    void eachCallOfTheParserHasItsOwnPositionLimitAndOrder() throws Exception {
        FakeBoundChannel other = new FakeBoundChannel(fixture.set, fixture.time);
        NumberedText text = new NumberedText();
        BoundThreadPool<Integer, String> changing = BoundThreadPool.open(
                fixture.pool,
                other,
                new ReplyParser<>() {
                    @Override
                    public int messageBytes(ByteBuffer received) {
                        int bytes = text.messageBytes(received);
                        received.order(ByteOrder.LITTLE_ENDIAN).limit(received.position());
                        return bytes;
                    }

                    @Override
                    public Integer requestId(ByteBuffer message) {
                        Integer id = text.requestId(message);
                        message.order(ByteOrder.LITTLE_ENDIAN).limit(message.position() + NumberedText.HEADER_BYTES);
                        return id;
                    }

                    @Override
                    public String reply(ByteBuffer message) {
                        return message.order() + " " + text.reply(message);
                    }
                },
                BoundLimits.DEFAULT);
        Waiter a = fixture.await("a", () -> changing.call(1, message(1, "?"), LONG));
        other.deliver(message(1, "one"));
        assertAnswer("BIG_ENDIAN one", a);
        changing.close();
    }

    @Test
    void replyThatIsThereBeforeAnybodyWaitsIsKept() throws Exception {
        ExpectedReply<Integer, String> mine = bound.expectingResponse(1);
        Waiter b = call("b", 2);
        deliver(message(1, "one"), message(2, "two"));
        assertAnswer("two", b);
        assertTrue(mine.isDone());
        assertEquals("one", mine.await(Duration.ZERO));
        assertEquals(
                "the reply to request 1 is, or was, waited for already",
                assertThrows(IllegalStateException.class, () -> mine.await(Duration.ZERO))
                        .getMessage());
    }

    @Test
    void expectingTheSameReplyTwiceIsRefused() throws Exception {
        try (ExpectedReply<Integer, String> first = bound.expectingResponse(1)) {
            assertEquals(
                    "a reply to request 1 is expected already",
                    assertThrows(IllegalStateException.class, () -> bound.expectingResponse(1))
                            .getMessage());
            assertEquals(1, bound.counters().expected());
            assertEquals(1, first.id());
        }
        assertEquals(0, bound.counters().expected());
        bound.expectingResponse(1).close();
    }

    // ---- replies that nobody expects ----

    @Test
    void timedOutWaiterLeavesNothingBehindAndItsReplyIsLate() {
        Waiter a = call("a", 1, TIMEOUT);
        fixture.advance(TIMEOUT.toNanos());
        fixture.awaitOver(a);
        assertInstanceOf(TimeoutException.class, a.thrown());
        assertEquals("no reply to request 1 within PT0.005S", a.thrown().getMessage());
        assertEquals(new BoundCounters(0, 0, 1, 0, 0, 0, 0), bound.counters());
        Waiter b = call("b", 2);
        deliver(message(1, "late"));
        assertEquals(new BoundCounters(1, 0, 1, 0, 1, 0, 0), bound.counters());
        deliver(message(1, "later"), message(2, "two"));
        assertAnswer("two", b);
        assertEquals(new BoundCounters(0, 1, 1, 0, 1, 1, 0), bound.counters());
    }

    @Test
    void duplicateAndUnknownRepliesAreCountedAndDropped() {
        Waiter a = call("a", 1);
        Waiter b = call("b", 2);
        deliver(message(1, "one"), message(1, "again"), message(99, "?"), message(0, "answers nothing"));
        assertAnswer("one", a);
        assertEquals(new BoundCounters(1, 1, 0, 0, 0, 1, 2), bound.counters());
        deliver(message(2, "two"));
        assertAnswer("two", b);
    }

    @Test
    void fateOfAnIdIsForgottenWhenItIsUsedAgainOrLongAgo() throws Exception {
        bound.expectingResponse(1).close();
        bound.expectingResponse(2).close();
        for (int id = 100; id < 100 + BoundThreadPool.REMEMBERED_MAX - 1; id++) {
            bound.expectingResponse(id).close();
        }
        Waiter again = call("again", 2);
        deliver(message(1, "forgotten"), message(2, "of the second use"));
        assertAnswer("of the second use", again);
        assertEquals(1, bound.counters().unknown());
        assertEquals(0, bound.counters().late());
    }

    // ---- time ----

    /** Both in one moment: a reply that is completed before the waiter gives up is returned. */
    @Test
    void replyAtTheMomentOfTheTimeoutIsReturned() throws Exception {
        ExpectedReply<Integer, String> expected = bound.expectingResponse(1);
        Waiter a = fixture.await("a", () -> expected.await(TIMEOUT));
        fixture.time.change(() -> {
            fixture.time.advance(TIMEOUT.toNanos());
            channel.deliver(message(1, "at the last moment"));
        });
        fixture.awaitOver(a);
        // The leader reads once more before it looks at the clock.
        assertEquals("at the last moment", a.value());
        assertEquals(1, bound.counters().answered());
        assertEquals(0, bound.counters().givenUp());
    }

    @Test
    void waiterThatIsPromotedWhileItTimesOutPassesLeadershipOn() {
        for (int i = 0; i < 15; i++) {
            int first = 10 * i + 1;
            Waiter a = call("a", first);
            Waiter b = call("b", first + 1, TIMEOUT);
            Waiter c = call("c", first + 2);
            fixture.time.change(() -> {
                fixture.time.advance(TIMEOUT.toNanos());
                channel.deliver(message(first, "one")); // so a hands over, to b by order of arrival
            });
            assertAnswer("one", a);
            fixture.awaitOver(b);
            assertInstanceOf(TimeoutException.class, b.thrown());
            assertEquals(Map.of("c", ThreadState.LEADER), fixture.states());
            deliver(message(first + 1, "late"), message(first + 2, "three"));
            assertAnswer("three", c);
            assertEquals(i + 1, bound.counters().late());
        }
    }

    // ---- sending ----

    @Test
    void leaderSendsWhatTheSocketDidNotTake() {
        channel.room(5);
        Waiter a = call("a", 1);
        assertEquals(5, channel.sent().length());
        assertEquals(4, bound.queuedBytes());
        assertTrue(channel.isRoomWanted());
        channel.room(100);
        fixture.set.report(List.of(new FakeHandleSet.Event(channel.handle(), Ready.WRITE)));
        fixture.awaitIdle();
        assertEquals(9, channel.sent().length());
        assertFalse(channel.isRoomWanted());
        deliver(message(1, "one"));
        assertAnswer("one", a);
    }

    @Test
    void requestThatDoesNotFitIntoTheQueueIsNotExpectedAnyMore() {
        channel.room(0);
        Waiter a = call("a", 1);
        assertThrows(SendQueueFullException.class, () -> bound.call(2, message(2, "x".repeat(100)), LONG));
        assertEquals(1, bound.counters().expected());
        channel.room(1000);
        deliver(message(1, "one"));
        assertAnswer("one", a);
    }

    // ---- hybrid ----

    /** A handler of the same pool sends a request of its own, waits nested, and serves others meanwhile. */
    @Test
    void handlerMayCallOverTheConnectionToo() {
        FakeHandle serves = fixture.set.register(
                "serves",
                (handle, ready) -> fixture.log.add(bound.call(7, message(7, "nested"), LONG) + " by "
                        + Thread.currentThread().getName()));
        fixture.join("a");
        fixture.report(serves);
        fixture.report(fixture.quick("quick"));
        deliver(message(7, "seven"));
        assertEquals(List.of("quick by a", "seven by a"), fixture.log);
    }
}
