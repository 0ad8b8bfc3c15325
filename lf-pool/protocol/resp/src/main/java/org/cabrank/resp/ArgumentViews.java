package org.cabrank.resp;

import java.nio.ByteBuffer;

/**
 * Views of a thread into the buffers that bytes are received into, one for each argument of a command. A view is made once, so that an
 * argument costs no allocation.
 */
final class ArgumentViews {
    /** Named bound: views that a thread keeps. A ring may have more buffers; the views of further buffers are made for each command. */
    private static final int VIEWS_MAX = 512;

    /** Odd, so that neighbouring arguments of a buffer have different slots. */
    private static final int SLOTS_APART = 31;

    private static final ThreadLocal<ArgumentViews> OWN = ThreadLocal.withInitial(ArgumentViews::new);

    private final ArgumentView[] views = new ArgumentView[VIEWS_MAX];

    /** A second buffer over the memory of the first. */
    private record ArgumentView(ByteBuffer of, int index, ByteBuffer bytes) {}

    private ArgumentViews() {}

    /**
     * Returns the calling thread's view of a range for an argument.
     *
     * @param received direct buffers serve many commands; the views of heap buffers are made for each command
     * @param index number of the argument in its command
     */
    static ByteBuffer of(ByteBuffer received, int index, int from, int to) {
        ByteBuffer view = received.isDirect() ? OWN.get().kept(received, index) : received.duplicate();
        return view.clear().limit(to).position(from);
    }

    /** The views of the calling thread are in the hands of a callback that waits: later callbacks get views of their own. */
    static void forget() {
        OWN.remove();
    }

    private ByteBuffer kept(ByteBuffer received, int index) {
        int slot = System.identityHashCode(received) + index * SLOTS_APART & VIEWS_MAX - 1;
        ArgumentView known = views[slot];
        if (known != null && known.of == received && known.index == index) {
            return known.bytes;
        }
        ByteBuffer made = received.duplicate();
        views[slot] = new ArgumentView(received, index, made);
        return made;
    }
}
