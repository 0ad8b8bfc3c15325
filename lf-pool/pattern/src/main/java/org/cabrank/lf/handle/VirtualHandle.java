package org.cabrank.lf.handle;

/**
 * A handle without a descriptor: its handler is called for posts and for its timer, and for nothing else. With one, what is
 * not the kernel's (a queue that other threads fill, a clock) takes part in a pool like a socket does: claimed while it is
 * processed, counted, deactivated, closed.
 *
 * <p>Made by {@link HandleSet#registerVirtual}.
 */
public final class VirtualHandle extends Handle {
    private final String name;

    private volatile boolean calledLast;

    VirtualHandle(HandleSet set, String name, EventHandler handler) {
        super(set, handler);
        this.name = name;
    }

    /** Has the handler called once more, for {@link Ready#POSTED}, by the last thread of a pool that stops gracefully. */
    public void callLast() {
        calledLast = true;
    }

    @Override
    protected boolean isCalledLast() {
        return calledLast;
    }

    @Override
    protected boolean hasDescriptor() {
        return false;
    }

    @Override
    public String toString() {
        return name;
    }
}
