package org.cabrank.lf;

import static org.cabrank.lf.fixture.NumberedText.message;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.ExecutionException;
import org.cabrank.lf.bound.BoundLimits;
import org.cabrank.lf.bound.BoundThreadPool;
import org.cabrank.lf.bound.ReplyParser;
import org.cabrank.lf.fixture.NumberedText;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A shared connection that ends fails all that wait for its replies. */
@Timeout(300)
class BoundFailureTest extends BoundFixture {
    // ---- failures ----

    private void assertBroken(Throwable cause, Waiter... waiters) {
        for (Waiter waiter : waiters) {
            fixture.awaitOver(waiter);
            assertInstanceOf(ExecutionException.class, waiter.thrown());
            assertSame(cause, waiter.thrown().getCause());
        }
        IOException later = assertThrows(IOException.class, () -> bound.expectingResponse(50));
        assertSame(cause, later.getCause());
        assertSame(
                cause,
                assertThrows(IOException.class, () -> bound.send(message(50, "?")))
                        .getCause());
        assertSame(cause, bound.broken());
        assertEquals(waiters.length, bound.counters().failed());
        assertTrue(channel.handle().isClosed());
    }

    @Test
    void endOfTheConnectionFailsEveryWaiterWithTheCause() {
        Waiter a = call("a", 1);
        Waiter b = call("b", 2);
        channel.endInput();
        fixture.awaitOver(a);
        assertInstanceOf(EOFException.class, a.thrown().getCause());
        assertBroken(a.thrown().getCause(), a, b);
    }

    @Test
    void connectionThatCannotBeReadFailsEveryWaiter() {
        Waiter a = call("a", 1);
        Waiter b = call("b", 2);
        IOException cause = new IOException("reset on purpose");
        channel.breakWith(cause);
        deliver();
        assertBroken(cause, a, b);
    }

    @Test
    void connectionThatASenderFindsBrokenFailsEveryWaiter() {
        Waiter a = call("a", 1);
        IOException cause = new IOException("reset on purpose");
        channel.breakWith(cause);
        assertSame(cause, assertThrows(IOException.class, () -> bound.send(message(2, "?"))));
        fixture.awaitOver(a);
        fixture.join("next"); // somebody leads, and closes it
        assertBroken(cause, a);
    }

    @Test
    void parserThatThrowsFailsEveryWaiter() {
        Waiter a = call("a", 1);
        Waiter b = call("b", 2);
        deliver(message(1, NumberedText.UNREADABLE));
        fixture.awaitOver(a);
        Throwable cause = a.thrown().getCause();
        assertEquals("unreadable on purpose", cause.getMessage());
        assertBroken(cause, a, b);
        assertEquals(1, fixture.pool.counters().failures());
    }

    @Test
    void messageBeyondTheLimitFailsEveryWaiter() {
        Waiter a = call("a", 1);
        deliver(message(1, "x".repeat(1000)));
        fixture.awaitOver(a);
        assertEquals(
                "the peer has announced a message of 1008 bytes; the limit is 1000",
                a.thrown().getCause().getMessage());
        assertBroken(a.thrown().getCause(), a);
    }

    @Test
    void closingFailsEveryWaiterAndThePoolGoesOn() {
        Waiter a = call("a", 1);
        bound.close();
        fixture.awaitOver(a);
        assertEquals("the connection was closed", a.thrown().getCause().getMessage());
        fixture.join("served");
        assertTrue(channel.handle().isClosed());
        assertBroken(a.thrown().getCause(), a);
        fixture.report(fixture.quick("quick"));
        assertEquals(List.of("quick by served"), fixture.log);
    }

    @Test
    void stoppedPoolLeavesNothingBehind() {
        Waiter a = call("a", 1);
        Waiter b = call("b", 2);
        fixture.pool.stop();
        for (Waiter waiter : List.of(a, b)) {
            fixture.awaitOver(waiter);
            assertInstanceOf(PoolStoppedException.class, waiter.thrown());
        }
        assertEquals(2, bound.counters().givenUp());
    }

    @Test
    void parserMustNotWait() throws Exception {
        FakeBoundChannel other = new FakeBoundChannel(fixture.set, fixture.time);
        Reply<String> never = fixture.pool.newReply();
        BoundThreadPool<Integer, String> waiting = BoundThreadPool.open(
                fixture.pool,
                other,
                new ReplyParser<Integer, String>() {
                    @Override
                    public int messageBytes(ByteBuffer received) throws Exception {
                        never.await(LONG);
                        return INCOMPLETE;
                    }

                    @Override
                    public Integer requestId(ByteBuffer message) {
                        return null;
                    }

                    @Override
                    public String reply(ByteBuffer message) {
                        return null;
                    }
                },
                BoundLimits.DEFAULT);
        Waiter a = fixture.await("a", () -> waiting.call(1, message(1, "?"), LONG));
        other.deliver(message(1, "one"));
        fixture.awaitOver(a);
        assertEquals("a parser of replies must not wait", a.thrown().getCause().getMessage());
        assertEquals(1, other.closes());
    }
}
