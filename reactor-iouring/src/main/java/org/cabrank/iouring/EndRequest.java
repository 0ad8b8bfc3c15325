package org.cabrank.iouring;

import org.cabrank.kernel.Epoll;
import org.cabrank.lf.handle.Ready;

/**
 * Multishot poll that reports a reset of a stream socket while reading is paused. The poll is armed when reading is first paused. It stays
 * armed when reading resumes, because it completes only once or twice.
 *
 * <p>The poll requests no event, because the kernel adds EPOLLERR, EPOLLHUP and EPOLLRDHUP to each poll. Only EPOLLERR makes the handle
 * ready, because there may still be bytes to read after an orderly end of the peer's output.
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

    int completed(int result, int flags) {
        boolean failed = result > 0 && (result & Epoll.EPOLLERR) != 0;
        if (isLast(flags)) {
            boolean wasFull = result > 0 && !failed; // the poll has ended because the completion queue was full
            if (wasFull || HandleRequests.isToBeAskedAgain(result)) {
                arm();
            }
            requests.ended();
        }
        return failed && !requests.isClosed() ? Ready.ERROR : 0;
    }
}
