package org.cabrank.lf.bound;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.cabrank.lf.FakeBoundChannel;
import org.cabrank.lf.FakeHandleSet;
import org.cabrank.lf.VirtualTime;
import org.cabrank.lf.handle.Deactivation;
import org.junit.jupiter.api.Test;

/** Messages of several threads go out whole, and wait where the socket takes no more. */
class SharedOutputTest {
    private final VirtualTime time = new VirtualTime();
    private final FakeBoundChannel channel = new FakeBoundChannel(new FakeHandleSet(Deactivation.CLAIM, time), time);
    private final SharedOutput output = new SharedOutput(channel, 10);

    private static ByteBuffer text(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    @Test
    void messageIsSentAtOnce() throws IOException {
        ByteBuffer message = text("message");
        assertFalse(output.send(message));
        assertFalse(message.hasRemaining());
        assertEquals("message", channel.sent());
        assertTrue(output.flush());
    }

    @Test
    void bytesBeyondTheSendBufferWaitAndAreSentInOrder() throws IOException {
        channel.room(3);
        assertTrue(output.send(text("first")), "somebody must watch for room");
        assertFalse(output.send(text("second")), "somebody does already");
        assertEquals("fir", channel.sent());
        assertEquals(8, output.queuedBytes());
        channel.room(4);
        assertFalse(output.flush());
        assertEquals("firstse", channel.sent());
        channel.room(100);
        assertTrue(output.flush());
        assertEquals("firstsecond", channel.sent());
        assertEquals(0, output.queuedBytes());
    }

    @Test
    void fullQueueRefusesAndConsumesNothing() throws IOException {
        channel.room(0);
        output.send(text("123456"));
        ByteBuffer message = text("78901");
        assertEquals(
                "the peer does not read: the queue of 6 bytes would grow by 5 beyond the limit of 10",
                assertThrows(SendQueueFullException.class, () -> output.send(message))
                        .getMessage());
        assertEquals(5, message.remaining());
        output.send(text("7890"));
        channel.room(100);
        assertTrue(output.flush());
        assertEquals("1234567890", channel.sent());
    }

    @Test
    void messageThatFindsNothingQueuedIsTakenWhateverItsSize() throws IOException {
        channel.room(1);
        output.send(text("longer than the limit"));
        channel.room(100);
        output.flush();
        assertEquals("longer than the limit", channel.sent());
    }

    @Test
    void messageThatIsPartlySentWhenMemoryRunsOutBreaksTheConnection() {
        OutOfMemoryError none = new OutOfMemoryError("on purpose");
        SharedOutput starved = new SharedOutput(channel, 10, bytes -> {
            throw none;
        });
        channel.room(3);
        assertSame(none, assertThrows(OutOfMemoryError.class, () -> starved.send(text("first"))));
        assertSame(none, starved.broken());
        channel.room(100);
        assertThrows(IOException.class, () -> starved.send(text("second")));
        assertEquals("fir", channel.sent(), "the next message would stand in the middle of this one");
    }

    @Test
    void messageOfWhichNothingIsSentWhenMemoryRunsOutLeavesTheConnectionWhole() throws IOException {
        boolean[] starved = {true};
        SharedOutput output = new SharedOutput(channel, 10, bytes -> {
            if (starved[0]) {
                throw new OutOfMemoryError("on purpose");
            }
            return ByteBuffer.allocate(bytes);
        });
        channel.room(0);
        ByteBuffer message = text("first");
        assertThrows(OutOfMemoryError.class, () -> output.send(message));
        assertEquals(5, message.remaining());
        assertEquals(0, output.queuedBytes());
        starved[0] = false;
        assertTrue(output.send(message));
        channel.room(100);
        assertTrue(output.flush());
        assertEquals("first", channel.sent());
    }

    @Test
    void nothingIsSentOnABrokenConnection() {
        IOException cause = new IOException("broken on purpose");
        channel.breakWith(cause);
        assertSame(cause, assertThrows(IOException.class, () -> output.send(text("first"))));
        IOException second = assertThrows(IOException.class, () -> output.send(text("second")));
        assertSame(cause, second.getCause());
        assertEquals("the connection is broken: broken on purpose", second.getMessage());
        assertSame(cause, output.broken());
        output.breakOff(new IOException("later"));
        assertSame(cause, output.broken());
    }

    @Test
    void waitingBytesAreDroppedWhenTheConnectionBreaks() throws IOException {
        channel.room(0);
        output.send(text("123456"));
        output.breakOff(new IOException("broken on purpose"));
        assertEquals(0, output.queuedBytes());
        channel.room(100);
        output.flush();
        assertEquals("", channel.sent());
    }
}
