package org.cabrank.iouring;

import org.cabrank.kernel.Epoll;
import org.cabrank.lf.handle.Ready;

/** Poll that reports that the connection of a stream socket is established or has failed. */
final class ConnectRequest extends MultishotRequest<StreamRequests> {
    private final int fd;

    ConnectRequest(StreamRequests requests, int fd) {
        super(requests, HandleRequests.POLL);
        this.fd = fd;
    }

    void arm() {
        if (!requests.isClosed() && tryArm()) {
            requests.set().submissions().poll(fd, Epoll.EPOLLOUT, requests.userData(HandleRequests.POLL));
        }
    }

    int completed(int result, int flags) {
        isLast(flags);
        requests.ended();
        if (HandleRequests.isToBeAskedAgain(result)) {
            arm(); // does nothing if the connection is closed
            return 0;
        }
        return result < 0 ? Ready.ERROR : PollRequests.readyOf(result) | Ready.WRITE;
    }
}
