package org.cabrank.bench.datagram;

import java.nio.ByteBuffer;

/**
 * Frames that wait for a subscriber: a bounded ring of bytes outside the Java heap. Any thread; each call holds the monitor for no longer
 * than a copy takes.
 *
 * <pre>
 * 0        4       6
 * | length | group | datagram |      big-endian; length: number of bytes behind it, group: number of the group, from 0
 * </pre>
 */
final class FrameQueue {
    static final int GROUP_OFFSET = Integer.BYTES;
    static final int HEADER_BYTES = GROUP_OFFSET + Short.BYTES;

    private final ByteBuffer ring;
    private final int mask;

    /** Positions since the start: the first byte of the oldest frame, and the byte behind the newest. */
    private long tail;

    private long head;
    private long largest;

    /** @param bytes size, a power of two; a larger frame is never taken */
    FrameQueue(int bytes) {
        ring = ByteBuffer.allocateDirect(bytes);
        mask = bytes - 1;
    }

    /** Appends a frame. Returns false if there is no room. */
    synchronized boolean offer(int group, ByteBuffer datagram) {
        int bytes = HEADER_BYTES + datagram.remaining();
        if (head - tail + bytes > ring.capacity()) {
            return false;
        }
        putInt(head, bytes - Integer.BYTES);
        ring.put((int) (head + GROUP_OFFSET) & mask, (byte) (group >> Byte.SIZE));
        ring.put((int) (head + GROUP_OFFSET + 1) & mask, (byte) group);
        put(head + HEADER_BYTES, datagram);
        head += bytes;
        largest = Math.max(largest, head - tail);
        return true;
    }

    /** Drops the oldest frames until there is room for a datagram. Returns the number of frames that were dropped. */
    synchronized int dropFor(int datagramBytes) {
        int dropped = 0;
        while (head > tail && head - tail + HEADER_BYTES + datagramBytes > ring.capacity()) {
            tail += frameBytes();
            dropped++;
        }
        return dropped;
    }

    /** Moves whole frames to {@code into} as long as they fit; returns their number. */
    synchronized int take(ByteBuffer into) {
        int frames = 0;
        while (head > tail && frameBytes() <= into.remaining()) {
            int bytes = frameBytes();
            int at = (int) tail & mask;
            int first = Math.min(bytes, ring.capacity() - at);
            into.put(into.position(), ring, at, first);
            into.put(into.position() + first, ring, 0, bytes - first);
            into.position(into.position() + bytes);
            tail += bytes;
            frames++;
        }
        return frames;
    }

    /** Most bytes that have waited at a time. */
    synchronized long largest() {
        return largest;
    }

    synchronized boolean isEmpty() {
        return head == tail;
    }

    private int frameBytes() {
        int length = 0;
        for (int i = 0; i < Integer.BYTES; i++) {
            length = length << Byte.SIZE | ring.get((int) (tail + i) & mask) & 0xff;
        }
        return Integer.BYTES + length;
    }

    private void putInt(long position, int value) {
        for (int i = 0; i < Integer.BYTES; i++) {
            ring.put((int) (position + i) & mask, (byte) (value >>> Byte.SIZE * (Integer.BYTES - 1 - i)));
        }
    }

    private void put(long position, ByteBuffer datagram) {
        int at = (int) position & mask;
        int bytes = datagram.remaining();
        int first = Math.min(bytes, ring.capacity() - at);
        ring.put(at, datagram, datagram.position(), first);
        ring.put(0, datagram, datagram.position() + first, bytes - first);
    }
}
