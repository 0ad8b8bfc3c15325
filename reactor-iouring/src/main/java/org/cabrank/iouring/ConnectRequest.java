package org.cabrank.iouring;

import org.cabrank.kernel.Epoll;
import org.cabrank.lf.handle.Ready;

/** The poll by which a stream socket learns that its connection stands, or cannot be made. */
final class ConnectRequest extends MultishotRequest<StreamRequests> {
    private final int fd;

    ConnectRequest(StreamRequests requests, int fd) {
        super(requests, HandleRequests.POLL);
        this.fd = fd;
    }

    /** Watcher: asks, if it is not asked already. */
    void arm() {
        if (!requests.isClosed() && tryArm()) {
            requests.set().submissions().poll(fd, Epoll.EPOLLOUT, requests.userData(HandleRequests.POLL));
        }
    }

    /**
     * Watcher: it has completed.
     *
     * @return the {@link Ready} bits to dispatch
     */
    int completed(int result, int flags) {
        isLast(flags);
        requests.ended();
        if (HandleRequests.isToBeAskedAgain(result)) {
            arm(); // does nothing if this is closed
            return 0;
        }
        return result < 0 ? Ready.ERROR : PollRequests.readyOf(result) | Ready.WRITE;
    }
}
