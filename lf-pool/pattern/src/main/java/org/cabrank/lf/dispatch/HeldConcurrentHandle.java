package org.cabrank.lf.dispatch;

/** The concurrent handle whose handler a thread runs. The handle does not record its threads. Any thread may call {@link #describe}. */
final class HeldConcurrentHandle {
    /** The last handle entered. Kept after the thread has left it, because clearing a reference costs a GC barrier. */
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
            handle = outer; // the outer handler has waited for a reply while the inner handler ran
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
