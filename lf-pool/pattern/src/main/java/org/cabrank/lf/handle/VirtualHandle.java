package org.cabrank.lf.handle;

/** A handle without a descriptor ({@link HandleSet#registerVirtual}). */
final class VirtualHandle extends Handle {
    private final String name;
    private final boolean calledLast;

    VirtualHandle(HandleSet set, String name, EventHandler handler, boolean calledLast) {
        super(set, handler);
        this.name = name;
        this.calledLast = calledLast;
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
