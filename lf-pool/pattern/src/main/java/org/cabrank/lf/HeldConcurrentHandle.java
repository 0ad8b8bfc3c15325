package org.cabrank.lf;

/**
 * The concurrent handle whose handler a thread runs at this moment. A concurrent handle has several holders, so it does not
 * record
 * who they are. Used by that thread alone, but for {@link #describe}.
 */
final class HeldConcurrentHandle {
    /** The one entered last, even after it was left: a reference that is not stored costs a garbage collector nothing. */
    private Handle handle;

    private int depth;

    /** The handler is called; answers what {@link #leave} is to be given. */
    Handle enter(Handle entered) {
        Handle outer = handle;
        if (outer != entered) {
            handle = entered;
        }
        depth++;
        return outer;
    }

    void leave(Handle left, Handle outer) {
        depth--;
        if (depth > 0) {
            handle = outer; // the handler that waits in its middle for what this one has brought about
        } else if (left.isClosed()) {
            handle = null;
        }
    }

    /** Any thread: a description of the handle, as far as visible from outside; null: none. */
    String describe() {
        Handle seen = handle;
        return depth > 0 && seen != null ? seen.toString() : null;
    }

    boolean isIn(Handle asked) {
        return depth > 0 && handle == asked;
    }
}
