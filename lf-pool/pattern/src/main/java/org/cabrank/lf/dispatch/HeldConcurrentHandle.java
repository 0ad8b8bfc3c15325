package org.cabrank.lf.dispatch;

/**
 * The concurrent handle whose handler a thread runs at this moment. A concurrent handle has several holders, so it does not
 * record
 * who they are. Used by that thread alone, but for {@link #describe}.
 */
final class HeldConcurrentHandle {
    /** The last handle entered, kept after it was left: a reference that is not stored costs no garbage collector barrier. */
    private HandleState handle;

    private int depth;

    HandleState enter(HandleState entered) {
        HandleState outer = handle;
        if (outer != entered) {
            handle = entered;
        }
        depth++;
        return outer;
    }

    void leave(HandleState left, HandleState outer) {
        depth--;
        if (depth > 0) {
            handle = outer; // the outer handler waits for an effect of the handle that has ended
        } else if (left.isClosedState()) {
            handle = null;
        }
    }

    /** Any thread: a description of the handle, as far as visible from outside; null: none. */
    String describe() {
        HandleState seen = handle;
        return depth > 0 && seen != null ? seen.toString() : null;
    }

    HandleState innermost() {
        return depth > 0 ? handle : null;
    }

    boolean isIn(HandleState asked) {
        return depth > 0 && handle == asked;
    }
}
