package org.cabrank.tls;

import java.nio.ByteBuffer;

/** Buffers that a thread uses in a callback. During a nested wait, the callback keeps them, and inner callbacks use other buffers. */
final class TlsBuffers {
    /** Room for the plaintext of several records. The handler gets this plaintext in one call. */
    static final int PLAIN_BYTES = 64 << 10;

    /** Room for small writes that are encrypted together. It is the maximum content of one record. */
    static final int GATHER_BYTES = 16 << 10;

    /** Room for the longest record that an engine accepts. The JDK's engine accepts 32 KiB of content, for peers that exceed RFC 8446. */
    static final int RECORD_BYTES = 34 << 10;

    private static final byte[] ZEROS = new byte[8 << 10];

    private static final ThreadLocal<TlsBuffers> ON_HEAP = ThreadLocal.withInitial(() -> new TlsBuffers(false));

    private static final ThreadLocal<TlsBuffers> DIRECT = ThreadLocal.withInitial(() -> new TlsBuffers(true));

    private final boolean direct;

    /** Received plaintext. Always direct, because handlers expect a direct buffer. */
    final ByteBuffer plain = ByteBuffer.allocateDirect(PLAIN_BYTES);

    final ByteBuffer gather;

    private ByteBuffer records;

    /** A received record on the heap. Null until an engine that works on arrays needs it. */
    private ByteBuffer record;

    private ByteBuffer file;

    private boolean inUse;

    /** Buffers for callbacks that run on this thread during a nested wait of the callback that uses these buffers. */
    private TlsBuffers inner;

    private TlsBuffers(boolean direct) {
        this.direct = direct;
        gather = allocate(GATHER_BYTES);
        records = allocate(0);
    }

    private ByteBuffer allocate(int bytes) {
        return direct ? ByteBuffer.allocateDirect(bytes) : ByteBuffer.allocate(bytes);
    }

    /** Returns buffers of the calling thread that no outer callback uses. The caller must call {@link #giveBack}. */
    static TlsBuffers take(boolean direct) {
        TlsBuffers free = (direct ? DIRECT : ON_HEAP).get();
        while (free.inUse) {
            if (free.inner == null) {
                free.inner = new TlsBuffers(direct);
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

    ByteBuffer records(int bytes) {
        if (records.capacity() < bytes) {
            records = allocate(bytes);
        }
        return records.clear();
    }

    /** Copies the first record, or the header of an incomplete record. An engine may decrypt in place, but not in the reactor's memory. */
    ByteBuffer firstRecord(ByteBuffer received) {
        if (record == null) {
            record = ByteBuffer.allocate(RECORD_BYTES);
        }
        int present = Math.min(received.remaining(), RECORD_BYTES);
        int at = received.position();
        if (present > TlsRecords.HEADER_BYTES && isTls(received.get(at))) {
            int whole = TlsRecords.HEADER_BYTES + TlsRecords.contentBytes(received, at);
            present = present < whole ? TlsRecords.HEADER_BYTES : whole;
        }
        record.clear().limit(present).put(0, received, at, present);
        return record;
    }

    private static boolean isTls(byte contentType) {
        return contentType >= TlsRecords.CHANGE_CIPHER_SPEC && contentType <= TlsRecords.APPLICATION_DATA;
    }

    ByteBuffer file() {
        if (file == null) {
            file = ByteBuffer.allocateDirect(GATHER_BYTES);
        }
        return file;
    }

    /** Overwrites the first {@code count} bytes, so that no plaintext stays in memory after its callback. */
    static void erase(ByteBuffer buffer, int count) {
        erase(buffer, 0, count);
        buffer.clear();
    }

    /** Overwrites the bytes from {@code from} to {@code to}. Afterwards the limit is the capacity, and the position is {@code to}. */
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
