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

    /** Results of accepts: descriptors and {@code -errno}s. */
    private final AcceptResults results = new AcceptResults();

    private final Runnable letGo;

    private boolean draining;

    /**
     * @param letGo releases the socket. Called when this is closed and no request names the descriptor: a queued accept could otherwise
     *     accept from a later socket with the same number.
     */
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

    /** Called in the handler. Stops accepting. Connections that were accepted before still arrive. */
    void end() {
        set().enter();
        try {
            accepting.end();
        } finally {
            set().leave();
        }
    }

    /** Called in the handler. Stops accepting permanently. Connections that were accepted before still arrive. */
    void drain() {
        draining = true;
        end();
    }

    /** In the handler, after {@link #drain}. Checks the results last: the request becomes idle only after its last result was added. */
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

    /** Called in the handler. Returns the next descriptor or {@code -errno}, or {@link AcceptResults#NONE} without a result. */
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
        }
        return isClosed() ? 0 : Ready.READ; // after the last completion the handler decides whether to accept again
    }

    /** Closes the accepted connection if there is no memory to keep its descriptor. Its peer sees an end, and no thread fails. */
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
