package org.cabrank.lf.bound;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.cabrank.lf.fixture.NumberedText;
import org.junit.jupiter.api.Test;

/** Messages that TCP splits and merges are put together again. */
class MessageBufferTest {
    private static final int MAX = 100_000;

    private final NumberedText parser = new NumberedText();
    private final MessageBuffer buffer = new MessageBuffer(MAX);
    private final List<String> messages = new ArrayList<>();

    private void receive(byte[] bytes, int start, int count) throws Exception {
        int done = 0;
        while (done < count) {
            ByteBuffer room = buffer.room();
            assertTrue(room.hasRemaining());
            int taken = Math.min(room.remaining(), count - done);
            room.put(bytes, start + done, taken);
            buffer.received(taken);
            done += taken;
            for (ByteBuffer next = buffer.next(parser); next != null; next = buffer.next(parser)) {
                int position = next.position();
                messages.add(parser.requestId(next) + " " + parser.reply(next.position(position)));
            }
        }
    }

    private static byte[] bytes(ByteBuffer... parts) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (ByteBuffer part : parts) {
            all.write(part.array(), 0, part.limit());
        }
        return all.toByteArray();
    }

    @Test
    void messageIsWholeWhereverItIsSplit() throws Exception {
        byte[] two = bytes(NumberedText.message(7, "seven"), NumberedText.message(8, ""));
        for (int split = 0; split <= two.length; split++) {
            messages.clear();
            receive(two, 0, split);
            receive(two, split, two.length - split);
            assertEquals(List.of("7 seven", "8 "), messages, "split at " + split);
        }
    }

    @Test
    void randomPiecesGiveTheSameMessages() throws Exception {
        Random random = new Random(42);
        List<String> expected = new ArrayList<>();
        List<ByteBuffer> parts = new ArrayList<>();
        for (int i = 1; i <= 500; i++) {
            String text = "x".repeat(random.nextInt(i % 50 == 0 ? 60_000 : 200));
            parts.add(NumberedText.message(i, text));
            expected.add(i + " " + text);
        }
        byte[] all = bytes(parts.toArray(ByteBuffer[]::new));
        for (int done = 0; done < all.length; ) {
            int count = Math.min(all.length - done, 1 + random.nextInt(30_000));
            receive(all, done, count);
            done += count;
        }
        assertEquals(expected, messages);
    }

    @Test
    void longestMessageIsTakenAndALongerOneIsRefused() throws Exception {
        byte[] longest = bytes(NumberedText.message(1, "x".repeat(MAX - NumberedText.HEADER_BYTES)));
        receive(longest, 0, longest.length);
        assertEquals(1, messages.size());
        byte[] longer = bytes(NumberedText.message(1, "x".repeat(MAX - NumberedText.HEADER_BYTES + 1)));
        assertEquals(
                "the peer has announced a message of 100001 bytes; the limit is 100000",
                assertThrows(IOException.class, () -> receive(longer, 0, 4)).getMessage());
    }

    @Test
    void lengthBelowZeroIsRefused() {
        byte[] bytes = {-1, -1, -1, -1};
        assertThrows(IOException.class, () -> receive(bytes, 0, 4));
    }

    @Test
    void headerThatNeverEndsIsRefused() {
        MessageBuffer small = new MessageBuffer(10);
        ReplyParser<?, ?> undecided = new ReplyParser<Integer, String>() {
            @Override
            public int messageBytes(ByteBuffer received) {
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
        };
        small.room().put(new byte[10]);
        small.received(10);
        assertEquals(
                "the peer has announced a message of more than 10 bytes; the limit is 10",
                assertThrows(IOException.class, () -> small.next(undecided)).getMessage());
    }

    @Test
    void everyCallOfAParserHasABufferInNetworkOrder() throws Exception {
        buffer.room().put(bytes(NumberedText.message(1, "one"), NumberedText.message(2, "two")));
        buffer.received(22);
        ByteBuffer first = buffer.next(parser);
        assertNotNull(first);
        first.order(ByteOrder.LITTLE_ENDIAN);
        assertEquals(ByteOrder.BIG_ENDIAN, buffer.next(parser).order());
        assertNull(buffer.next(parser));
        assertFalse(first.hasRemaining() && first.order() == ByteOrder.LITTLE_ENDIAN);
    }
}
