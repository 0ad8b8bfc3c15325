package org.cabrank.stream.transport;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** Bytes that one thread has received and sent for a shard. Padding keeps the counts of different threads in different cache lines. */
final class Traffic {
    private static final VarHandle COUNT = MethodHandles.arrayElementVarHandle(long[].class);

    private static final int CACHE_LINE_BYTES = 64;

    private static final int PADDING = CACHE_LINE_BYTES / Long.BYTES;
    private static final int RECEIVED = PADDING;
    private static final int SENT = RECEIVED + 1;

    final Thread writer = Thread.currentThread();
    private final long[] counts = new long[SENT + 1 + PADDING];

    void addReceived(int bytes) {
        COUNT.setOpaque(counts, RECEIVED, counts[RECEIVED] + bytes);
    }

    void addSent(int bytes) {
        COUNT.setOpaque(counts, SENT, counts[SENT] + bytes);
    }

    long receivedOpaque() {
        return (long) COUNT.getOpaque(counts, RECEIVED);
    }

    long sentOpaque() {
        return (long) COUNT.getOpaque(counts, SENT);
    }
}
