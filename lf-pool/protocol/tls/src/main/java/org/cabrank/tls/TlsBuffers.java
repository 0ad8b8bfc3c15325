package org.cabrank.tls;

import java.nio.ByteBuffer;

/**
 * Buffers of a thread while it runs a callback of a TLS connection. A callback that waits for a reply keeps its buffers, and the
 * callbacks that the thread runs during the wait have others.
 */
final class TlsBuffers {
    /** Plaintext of several records, which are given to the handler together. */
    static final int PLAIN_BYTES = 64 << 10;

    /** Plaintext of small writes, which are encrypted together: the content of one record. */
    static final int GATHER_BYTES = 16 << 10;

    private static final byte[] ZEROS = new byte[8 << 10];

    private static final ThreadLocal<TlsBuffers> OWN = ThreadLocal.withInitial(TlsBuffers::new);

    /** Received plaintext; direct, as handlers expect it. */
    final ByteBuffer plain = ByteBuffer.allocateDirect(PLAIN_BYTES);

    /** Plaintext that the present callback has written, and that is not encrypted yet. */
    final ByteBuffer gather = ByteBuffer.allocate(GATHER_BYTES);

    private ByteBuffer records = ByteBuffer.allocate(0);
    private boolean inUse;

    /** For callbacks that the thread runs while one waits. */
    private TlsBuffers inner;

    /** Returns the calling thread's buffers that no outer callback uses. {@link #giveBack} follows. */
    static TlsBuffers take() {
        TlsBuffers free = OWN.get();
        while (free.inUse) {
            if (free.inner == null) {
                free.inner = new TlsBuffers();
            }
            free = free.inner;
        }
        free.inUse = true;
        free.gather.clear();
        return free;
    }

    void giveBack() {
        inUse = false;
    }

    /** Returns the empty buffer to encrypt into. */
    ByteBuffer records(int bytes) {
        if (records.capacity() < bytes) {
            records = ByteBuffer.allocate(bytes);
        }
        return records.clear();
    }

    /** Overwrites the first {@code count} bytes: no plaintext stays in memory after its callback. */
    static void erase(ByteBuffer buffer, int count) {
        erase(buffer, 0, count);
        buffer.clear();
    }

    /** Overwrites the bytes from {@code from} to {@code to}. The limit is the capacity afterwards, the position {@code to}. */
    static void erase(ByteBuffer buffer, int from, int to) {
        buffer.clear().position(from);
        int left = to - from;
        while (left > 0) {
            int now = Math.min(left, ZEROS.length);
            buffer.put(ZEROS, 0, now);
            left -= now;
        }
    }
}
