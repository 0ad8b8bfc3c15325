package org.cabrank.tls;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Buffers of a thread while it runs a callback of a TLS connection. A callback that waits for a reply keeps its buffers, and the
 * callbacks that the thread runs during the wait have others.
 */
final class TlsBuffers {
    /** Plaintext of several records, which are given to the handler together. */
    static final int PLAIN_BYTES = 64 << 10;

    /** Plaintext of small writes, which are encrypted together: the content of one record. */
    static final int GATHER_BYTES = 16 << 10;

    /** Named bound: buffers for unread plaintext that a thread keeps for the next connection that needs one. */
    private static final int SPARE_MAX = 16;

    private static final byte[] ZEROS = new byte[8 << 10];

    private static final ThreadLocal<TlsBuffers> OWN = ThreadLocal.withInitial(TlsBuffers::new);

    /** Received plaintext; direct, as handlers expect it. */
    final ByteBuffer plain = ByteBuffer.allocateDirect(PLAIN_BYTES);

    /** Plaintext that the present callback has written, and that is not encrypted yet. */
    final ByteBuffer gather = ByteBuffer.allocate(GATHER_BYTES);

    private ByteBuffer records = ByteBuffer.allocate(0);
    private final Deque<ByteBuffer> spare = new ArrayDeque<>();
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

    /** Returns an empty direct buffer for unread plaintext. */
    ByteBuffer takeSpare(int bytes) {
        ByteBuffer known = spare.peek();
        return known != null && known.capacity() >= bytes
                ? spare.remove()
                : ByteBuffer.allocateDirect(Math.max(bytes, PLAIN_BYTES));
    }

    /** A buffer of {@link #takeSpare} is not needed any more. The plaintext in it is erased. */
    static void giveBackSpare(ByteBuffer used) {
        erase(used, used.capacity());
        Deque<ByteBuffer> spare = OWN.get().spare;
        if (spare.size() < SPARE_MAX && used.capacity() == PLAIN_BYTES) {
            spare.add(used.clear());
        }
    }

    /** Overwrites the first {@code count} bytes: no plaintext stays in memory after its callback. */
    static void erase(ByteBuffer buffer, int count) {
        buffer.clear();
        int left = count;
        while (left > 0) {
            int now = Math.min(left, ZEROS.length);
            buffer.put(ZEROS, 0, now);
            left -= now;
        }
        buffer.clear();
    }
}
