package org.cabrank.socket.source;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Records come out as they went in, however much of them is written at once and wherever the memory ends. */
class RecordQueueTest {
    private static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII));
    }

    /** The unwritten rest of the first record. */
    private static String first(RecordQueue queue) {
        byte[] rest = new byte[queue.firstLength()];
        queue.memory().get(queue.firstOffset(), rest);
        return new String(rest, StandardCharsets.US_ASCII);
    }

    @Test
    void recordIsWrittenPieceByPiece() {
        RecordQueue queue = new RecordQueue(20);
        assertTrue(queue.offer(bytes("hello")));
        queue.written(2);
        assertEquals("llo", first(queue));
        assertFalse(queue.isEmpty());
        queue.written(3);
        assertTrue(queue.isEmpty());
        assertEquals(0, queue.bytes());
    }

    @Test
    void limitCountsHeaders() {
        RecordQueue queue = new RecordQueue(20);
        assertTrue(queue.offer(bytes("123456")));
        assertTrue(queue.offer(bytes("123456")));
        assertEquals(20, queue.bytes());
        assertFalse(queue.offer(bytes("")));
        queue.written(6);
        assertFalse(queue.offer(bytes("1234567")));
        assertTrue(queue.offer(bytes("123456")));
    }

    /** Compares the queue with a model, a queue of strings, over random operations with a fixed seed. */
    @Test
    void recordsSurviveBeingMovedToTheBeginning() {
        Random random = new Random(42);
        RecordQueue queue = new RecordQueue(100);
        Deque<String> model = new ArrayDeque<>();
        for (int step = 0; step < 10_000; step++) {
            String record = Integer.toString(step).repeat(1 + random.nextInt(6));
            if (queue.offer(bytes(record))) {
                model.add(record);
            } else {
                assertFalse(model.isEmpty());
            }
            if (random.nextBoolean() && !model.isEmpty()) {
                String expected = model.remove();
                assertEquals(expected, first(queue));
                int piece = 1 + random.nextInt(expected.length());
                queue.written(piece);
                if (piece < expected.length()) {
                    model.addFirst(expected.substring(piece));
                }
            }
            assertEquals(model.isEmpty(), queue.isEmpty());
        }
    }
}
