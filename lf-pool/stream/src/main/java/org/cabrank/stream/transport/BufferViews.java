package org.cabrank.stream.transport;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * A thread's views of its receive buffers, for handlers that show parts of a buffer to a handler of a service. A view is made once for each
 * buffer, so that a part costs no allocation, and lent for one call of a handler. A handler that waits for a reply keeps its view lent: a
 * call that its thread makes during the wait with the same buffer gets a view of its own.
 */
public final class BufferViews {
    /** Number of views that are kept. A ring may have more buffers; views of the others are created for each part. */
    private static final int VIEWS_MAX = 256;

    private static final ThreadLocal<BufferViews> OWN = ThreadLocal.withInitial(BufferViews::new);

    private final View[] views = new View[VIEWS_MAX];

    /** A second buffer over the memory of the first. One thread at a time. */
    public static final class View {
        private final ByteBuffer of;
        private final ByteBuffer bytes;
        private boolean lent;

        private View(ByteBuffer of) {
            this.of = of;
            this.bytes = of.duplicate();
        }

        /** Lends the buffer with this content, in network byte order and without a mark, until {@link #reclaim}. */
        public ByteBuffer lend(int from, int to) {
            lent = true;
            return bytes.clear().limit(to).position(from).order(ByteOrder.BIG_ENDIAN);
        }

        public void reclaim() {
            lent = false;
        }

        /** Called at a nested wait: empties the buffer if it is lent, because its memory serves other connections from now on. */
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
