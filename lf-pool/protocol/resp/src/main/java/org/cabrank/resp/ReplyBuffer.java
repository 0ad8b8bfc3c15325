package org.cabrank.resp;

import java.nio.ByteBuffer;

/** Buffer of a thread that replies are gathered in. Lent to one writer at a time. */
final class ReplyBuffer {
    static final int BYTES = 16 << 10;

    private static final ThreadLocal<ReplyBuffer> OWN =
            ThreadLocal.withInitial(() -> new ReplyBuffer(ByteBuffer.allocateDirect(BYTES)));

    final ByteBuffer bytes;
    private boolean lent;

    private ReplyBuffer(ByteBuffer bytes) {
        this.bytes = bytes;
    }

    /** Returns the calling thread's buffer; a new one while the thread's own is lent, to a handler that writes to a second connection. */
    static ReplyBuffer borrow() {
        ReplyBuffer own = OWN.get();
        if (own.lent) {
            return new ReplyBuffer(ByteBuffer.allocate(BYTES));
        }
        own.lent = true;
        return own;
    }

    void giveBack() {
        bytes.clear();
        lent = false;
    }
}
