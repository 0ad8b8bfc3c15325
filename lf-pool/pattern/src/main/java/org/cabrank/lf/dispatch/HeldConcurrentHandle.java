package org.cabrank.lf.dispatch;

/** The concurrent handle whose handler a thread runs; the handle records no holders. Used by that thread, except {@link #describe}. */
final class HeldConcurrentHandle {
    /** The last handle entered, kept after it was left: storing a reference costs a garbage collector's barrier. */
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
