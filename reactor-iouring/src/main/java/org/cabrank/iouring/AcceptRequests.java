package org.cabrank.iouring;

import org.cabrank.kernel.Epoll;
import org.cabrank.kernel.Sockets;
import org.cabrank.lf.handle.Handle;
import org.cabrank.lf.handle.Ready;

/** Requests of a listening socket: one accept, which is multishot unless connections are asked for one by one. */
final class AcceptRequests extends HandleRequests {
    private final RingHandle handle;
    private final boolean oneByOne;
    private final MultishotRequest<AcceptRequests> accepting = new MultishotRequest<>(this, ACCEPT);

    /** Descriptors that were accepted, and {@code -errno}s. */
    private final AcceptResults results = new AcceptResults();

    private final Runnable letGo;

    /** True if no accept is armed again. */
    private boolean draining;

    /**
     * @param oneByOne the kernel hands out one connection for each {@link #arm}
     * @param letGo lets go of the socket, once this is closed and no request names its number any more: an accept that is still
     *     queued would take the connections of whatever socket gets the number next
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

    /** Inside the handler: accepts, as far as it does not already. */
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

    /** Inside the handler: accepts no more; what was accepted still comes. */
    void end() {
        set().enter();
        try {
            accepting.end();
        } finally {
            set().leave();
        }
    }

    /** Inside the handler: accepts no more, whoever asks for it; what was accepted still comes. */
    void drain() {
        draining = true;
        end();
    }

    /**
     * Inside the handler, after {@link #drain}: nothing that was accepted waits here, and nothing will come. The last completion makes
     * the request idle behind all results of the request, so the results are looked at second.
     */
    boolean isDrained() {
        set().enter();
        try {
            return !accepting.isArmed() && results.isEmpty();
        } finally {
            set().leave();
        }
    }

    /** Inside the handler: nothing that was accepted waits here. */
    boolean isDone() {
        set().enter();
        try {
            return results.isEmpty();
        } finally {
            set().leave();
        }
    }

    /** Inside the handler: the next descriptor or {@code -errno}; {@link AcceptResults#NONE}. */
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
                set().closeInOrder(result); // as if it were in the kernel's queue still: refused with the socket
            }
        } else if (!isToBeAskedAgain(result)) {
            keep(result);
        }
        if (accepting.isLast(flags)) {
            ended();
        }
        return isClosed() ? 0 : Ready.READ; // after the last, the handler decides whether it goes on
    }

    /** Without memory to remember the connection it is refused: its peer sees its end, and no thread fails. */
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
