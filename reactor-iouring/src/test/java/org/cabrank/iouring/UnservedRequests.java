package org.cabrank.iouring;

import org.cabrank.lf.handle.Handle;

/** Of no descriptor, so nothing of it completes in the kernel and nothing is dispatched; the test says what has completed. */
class UnservedRequests extends HandleRequests {
    UnservedRequests(RingHandleSet set) {
        super(set);
    }

    @Override
    final Handle handle() {
        throw new AssertionError("nothing is dispatched");
    }

    @Override
    final boolean check() {
        return false;
    }

    @Override
    void arm() {}

    @Override
    int completed(int operation, int result, int flags) {
        throw new AssertionError("the test takes what completes");
    }

    @Override
    final void close() {
        if (!isClosed()) {
            markClosed();
        }
    }

    @Override
    void released() {}
}
