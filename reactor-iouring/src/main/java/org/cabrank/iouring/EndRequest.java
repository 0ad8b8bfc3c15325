package org.cabrank.iouring;

import org.cabrank.kernel.Epoll;
import org.cabrank.lf.handle.Ready;

/**
 * Multishot poll that reports a reset to a stream socket that does not receive. Armed when reading is first paused. It stays armed when
 * reading resumes, because it completes only when the state of the connection changes: once or twice.
 *
 * <p>Requests no event: the kernel adds EPOLLERR, EPOLLHUP and EPOLLRDHUP to each poll. Only EPOLLERR is acted upon: after an orderly end
 * of the peer's output there may be bytes to read.
 */
final class EndRequest extends MultishotRequest<StreamRequests> {
    private final int fd;

    EndRequest(StreamRequests requests, int fd) {
        super(requests, HandleRequests.END);
        this.fd = fd;
    }

    void arm() {
        if (!requests.isClosed() && tryArm()) {
            requests.set().submissions().pollMultishot(fd, 0, requests.userData(HandleRequests.END));
        }
    }

    /** Watcher. Returns the {@link Ready} bits to dispatch. */
    int completed(int result, int flags) {
        boolean failed = result > 0 && (result & Epoll.EPOLLERR) != 0;
        if (isLast(flags)) {
            if (HandleRequests.isToBeAskedAgain(result)) {
                arm();
            }
            requests.ended();
        }
        return failed && !requests.isClosed() ? Ready.ERROR : 0;
    }
}
