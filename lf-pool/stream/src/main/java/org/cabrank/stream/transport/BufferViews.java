package org.cabrank.stream.transport;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Views of the receive buffers of one thread. A decorating handler lends a view, with a part of a buffer, to the handler of a service for
 * one call, without an allocation. If that call waits for a reply, the thread gets a new view of the buffer in the meantime.
 */
public final class BufferViews {
    private static final int VIEWS_MAX = 256;

    private static final ThreadLocal<BufferViews> OWN = ThreadLocal.withInitial(BufferViews::new);

    private final View[] views = new View[VIEWS_MAX];

    /** A second buffer over the memory of the first. Used by one thread at a time. */
    public static final class View {
        private final ByteBuffer of;
        private final ByteBuffer bytes;
        private boolean lent;

        private View(ByteBuffer of) {
            this.of = of;
            this.bytes = of.duplicate();
        }

        /** Lends the bytes from {@code from} to {@code to}, until {@link #reclaim}. The buffer has network byte order and no mark. */
        public ByteBuffer lend(int from, int to) {
            lent = true;
            return bytes.clear().limit(to).position(from).order(ByteOrder.BIG_ENDIAN);
        }

        public void reclaim() {
            lent = false;
        }

        /** Empties the buffer if it is lent. Called before a nested wait, because other connections use the memory from then on. */
        public void empty() {
            if (lent) {
                bytes.limit(0);
            }
        }
    }

    private BufferViews() {}

    /** Returns a view of {@code data} that belongs to the calling thread and is not lent. */
    public static View of(ByteBuffer data) {
        View[] views = OWN.get().views;
        int slot = System.identityHashCode(data) & (VIEWS_MAX - 1);
        View known = views[slot];
        if (known != null && known.of == data && !known.lent) {
            return known;
        }
        View made = new View(data);
        if (known == null || !known.lent) {
            views[slot] = made;
        }
        return made;
    }
}
