package org.cabrank.lf.dispatch;

/** States of a handle that only tests ask for. */
public final class HandleStates {
    /** The bits that a handler may see. */
    public static final int PUBLIC = ReadyBits.PUBLIC;

    private HandleStates() {}

    /** Returns true if a thread holds the handle, and is marked as its holder. */
    public static boolean isClaimed(HandleState handle) {
        return handle.isClaimed();
    }

    /** Returns the number of threads inside a concurrent handle. */
    public static int holders(HandleState handle) {
        return handle.holders();
    }

    /** Slot of the handle, without its generation. */
    public static int slot(HandleState handle) {
        return SlotTable.slot(handle.key());
    }

    /** The first step of a post: returns true if {@link #enqueuePosted} must follow. */
    public static boolean notePosted(HandleState handle) {
        return handle.notePosted(ReadyBits.POSTED);
    }

    /** The second step of a post. */
    public static void enqueuePosted(Dispatcher set, HandleState handle) {
        set.enqueuePosted(handle);
    }
}
