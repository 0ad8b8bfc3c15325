package org.cabrank.framing;

import java.nio.ByteBuffer;

/**
 * Views of a thread into buffers that it receives into. A view is made once for each buffer, so that a frame costs no allocation.
 *
 * <p>A view is lent for one call of a handler. A handler that waits for a reply keeps its view lent: a call that its thread makes
 * during the wait with the same buffer gets a view of its own.
 */
final class FrameViews {
    /** Named bound: buffers whose views a thread keeps. A ring may have more buffers; their views are made for each frame. */
    private static final int VIEWS_MAX = 256;

    private static final ThreadLocal<FrameViews> OWN = ThreadLocal.withInitial(FrameViews::new);

    private final FrameView[] views = new FrameView[VIEWS_MAX];

    /** A second buffer over the memory of the first. */
    static final class FrameView {
        private final ByteBuffer of;
        final ByteBuffer bytes;
        boolean lent;

        private FrameView(ByteBuffer of) {
            this.of = of;
            this.bytes = of.duplicate();
        }

        /** Returns the buffer with this content, in network byte order and without a mark. */
        ByteBuffer show(int from, int to) {
            return bytes.clear().limit(to).position(from);
        }
    }

    private FrameViews() {}

    /** Returns the calling thread's view of a buffer that no outer call uses. */
    static FrameView of(ByteBuffer data) {
        FrameView[] views = OWN.get().views;
        int slot = System.identityHashCode(data) & (VIEWS_MAX - 1);
        FrameView known = views[slot];
        if (known != null && known.of == data && !known.lent) {
            return known;
        }
        FrameView made = new FrameView(data);
        if (known == null || !known.lent) {
            views[slot] = made;
        }
        return made;
    }
}
