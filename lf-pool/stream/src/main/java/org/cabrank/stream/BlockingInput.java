package org.cabrank.stream;

import java.nio.ByteBuffer;

final class BlockingInput {
    private static final int BYTES_MIN = 512;
    private static final byte[] NONE = {};

    private byte[] ring = NONE;
    private int head;
    private int count;

    int count() {
        return count;
    }

    void append(ByteBuffer data) {
        int added = data.remaining();
        require(Math.addExact(count, added));
        int tail = (head + count) & ring.length - 1;
        int first = Math.min(added, ring.length - tail);
        data.get(ring, tail, first);
        data.get(ring, 0, added - first);
        count += added;
    }

    private void require(int bytes) {
        if (bytes > ring.length) {
            byte[] larger = new byte[Math.max(BYTES_MIN, Integer.highestOneBit(bytes - 1) << 1)];
            int held = count;
            take(larger, 0, held);
            ring = larger;
            head = 0;
            count = held;
        }
    }

    int take(byte[] to, int offset, int length) {
        int taken = Math.min(count, length);
        int first = Math.min(taken, ring.length - head);
        System.arraycopy(ring, head, to, offset, first);
        System.arraycopy(ring, 0, to, offset + first, taken - first);
        drop(taken);
        return taken;
    }

    byte take() {
        byte taken = ring[head];
        drop(1);
        return taken;
    }

    int take(ByteBuffer to) {
        int taken = Math.min(count, to.remaining());
        int first = Math.min(taken, ring.length - head);
        to.put(ring, head, first);
        to.put(ring, 0, taken - first);
        drop(taken);
        return taken;
    }

    private void drop(int taken) {
        count -= taken;
        head = count == 0 ? 0 : (head + taken) & ring.length - 1;
    }

    void discard() {
        ring = NONE;
        head = 0;
        count = 0;
    }
}
