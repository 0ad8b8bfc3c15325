package org.cabrank.iouring;

import org.cabrank.kernel.Epoll;
import org.cabrank.kernel.Sockets;
import org.cabrank.lf.handle.Handle;
import org.cabrank.lf.handle.Ready;

/** Accept requests of a listening socket: multishot, or one request for each connection. */
final class AcceptRequests extends HandleRequests {
    private final RingHandle handle;
    private final boolean oneByOne;
    private final MultishotRequest<AcceptRequests> accepting = new MultishotRequest<>(this, ACCEPT);

    private final AcceptResults results = new AcceptResults();

    private final Runnable letGo;

    private boolean draining;

    /** @param letGo releases the socket after the last request. Before that, a queued accept could use a new socket with the same number */
    AcceptRequests(RingHandleSet set, RingHandle handle, boolean oneByOne, Runnable letGo) {
        super(set);
        this.handle = handle;
        this.oneByOne = oneByOne;
        this.letGo = letGo;
    }

    @Override
    Handle handle() {
        return handle;
    }

    @Override
    boolean check() {
        return true;
    }

    @Override
    boolean isWatchedByRelief() {
        return true;
    }

    @Override
    int readinessEvents() {
        return Epoll.EPOLLIN;
    }

    @Override
    boolean takesAllInput() {
        return accepting.isUnended();
    }

    boolean isAccepting() {
        return accepting.isArmed();
    }

    void resume() {
        set().enter();
        try {
            arm();
        } finally {
            set().leave();
        }
    }

    @Override
    void arm() {
        if (isClosed() || draining || !accepting.tryArm()) {
            return;
        }
        int socketFlags = Sockets.SOCK_NONBLOCK | Sockets.SOCK_CLOEXEC;
        if (oneByOne) {
            set().submissions().accept(handle.fd(), socketFlags, userData(ACCEPT));
        } else {
            set().submissions().acceptMultishot(handle.fd(), socketFlags, userData(ACCEPT));
        }
    }

    /** Stops accepting. The handler still gets the connections that were accepted before. */
    void end() {
        set().enter();
        try {
            accepting.end();
        } finally {
            set().leave();
        }
    }

    /** Stops accepting permanently. */
    void drain() {
        draining = true;
        end();
    }

    boolean isDrained() {
        set().enter();
        try {
            return !accepting.isArmed() && results.isEmpty();
        } finally {
            set().leave();
        }
    }

    boolean isDone() {
        set().enter();
        try {
            return results.isEmpty();
        } finally {
            set().leave();
        }
    }

    /** Returns the next descriptor or {@code -errno}. If the queue is empty, returns {@link AcceptResults#NONE}. */
    int poll() {
        set().enter();
        try {
            return results.poll();
        } finally {
            set().leave();
        }
    }

    @Override
    int completed(int operation, int result, int flags) {
        if (isClosed()) {
            if (result >= 0) {
                set().closeInOrder(result);
            }
        } else if (!isToBeAskedAgain(result)) {
            keep(result);
        }
        if (accepting.isLast(flags)) {
            ended();
            if (!isClosed()) {
                set().inputLeft(this);
            }
        }
        return isClosed() ? 0 : Ready.READ; // after the last completion the handler decides whether to accept again
    }

    private void keep(int result) {
        try {
            results.put(result);
        } catch (OutOfMemoryError exhausted) {
            if (result >= 0) {
                set().closeInOrder(result);
            }
            set().failures().log("an accepted connection could not be kept", exhausted);
        }
    }

    @Override
    void close() {
        accepting.end();
        markClosed();
    }

    @Override
    void released() {
        for (int result = results.poll(); result != AcceptResults.NONE; result = results.poll()) {
            if (result >= 0) {
                set().closeInOrder(result);
            }
        }
        letGo.run();
    }

    @Override
    public String toString() {
        return "accept at " + handle;
    }
}
