package org.cabrank.bench.datagram;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class FrameQueueTest {
    private static final int QUEUE_BYTES = 64;

    private static ByteBuffer datagram(int... bytes) {
        ByteBuffer datagram = ByteBuffer.allocate(bytes.length);
        for (int one : bytes) {
            datagram.put((byte) one);
        }
        return datagram.flip();
    }

    @Test
    void aFrameHasItsLengthItsGroupAndTheDatagram() {
        FrameQueue queue = new FrameQueue(QUEUE_BYTES);
        ByteBuffer datagram = datagram(7, 8, 9);
        assertTrue(queue.offer(0x102, datagram));
        assertEquals(3, datagram.remaining());
        ByteBuffer out = ByteBuffer.allocate(QUEUE_BYTES);
        assertEquals(1, queue.take(out));
        assertEquals(datagram(0, 0, 0, 5, 1, 2, 7, 8, 9), out.flip());
        assertTrue(queue.isEmpty());
    }

    @Test
    void aFullQueueTakesAFrameWhenTheOldestAreDropped() {
        FrameQueue queue = new FrameQueue(QUEUE_BYTES);
        for (int i = 0; i < 8; i++) { // of 8 bytes each
            assertTrue(queue.offer(i, datagram(i, i)));
        }
        assertFalse(queue.offer(8, datagram(8, 8)));
        assertEquals(2, queue.dropFor(4));
        assertTrue(queue.offer(8, datagram(8, 8, 8, 8)));
        ByteBuffer out = ByteBuffer.allocate(8);
        assertEquals(1, queue.take(out));
        assertEquals(datagram(0, 0, 0, 4, 0, 2, 2, 2), out.flip());
        assertEquals(QUEUE_BYTES, queue.largest());
    }

    @Test
    void aDatagramLargerThanTheQueueIsNotTaken() {
        FrameQueue queue = new FrameQueue(QUEUE_BYTES);
        queue.offer(0, datagram(1));
        ByteBuffer larger = ByteBuffer.allocate(QUEUE_BYTES);
        assertEquals(1, queue.dropFor(larger.remaining()));
        assertFalse(queue.offer(0, larger));
        assertTrue(queue.isEmpty());
    }

    @Test
    void framesOfAllLengthsPassTheEndOfTheRingUnchanged() {
        Random random = new Random(5);
        FrameQueue queue = new FrameQueue(QUEUE_BYTES);
        Queue<ByteBuffer> expected = new ArrayDeque<>();
        for (int i = 0; i < 2_000; i++) {
            byte[] bytes = new byte[random.nextInt(20)];
            random.nextBytes(bytes);
            if (queue.offer(0, ByteBuffer.wrap(bytes))) {
                expected.add(ByteBuffer.wrap(bytes));
            }
            ByteBuffer out = ByteBuffer.allocate(random.nextInt(QUEUE_BYTES));
            int frames = queue.take(out);
            out.flip();
            for (int frame = 0; frame < frames; frame++) {
                int length = out.getInt() - Short.BYTES;
                out.getShort();
                assertEquals(expected.remove(), out.slice(out.position(), length));
                out.position(out.position() + length);
            }
            assertFalse(out.hasRemaining());
        }
    }
}
