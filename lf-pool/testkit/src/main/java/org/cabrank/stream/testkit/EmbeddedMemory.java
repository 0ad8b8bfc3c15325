package org.cabrank.stream.testkit;

import java.nio.ByteBuffer;
import java.util.Map;
import java.util.TreeMap;

/** Addresses of direct buffers without a kernel. Each buffer gets its own range of numbers. */
final class EmbeddedMemory {
    private static final long GAP = 4096;

    private final TreeMap<Long, ByteBuffer> buffers = new TreeMap<>();
    private long next = GAP;

    synchronized long addressOf(ByteBuffer buffer) {
        long address = next;
        next += buffer.capacity() + GAP;
        buffers.put(address, buffer.duplicate().clear());
        return address;
    }

    synchronized byte[] read(long address, int count) {
        Map.Entry<Long, ByteBuffer> range = buffers.floorEntry(address);
        byte[] bytes = new byte[count];
        range.getValue().get((int) (address - range.getKey()), bytes);
        return bytes;
    }
}
