package org.cabrank.iouring;

import org.cabrank.kernel.Epoll;
import org.cabrank.lf.handle.Ready;

/**
 * The multishot poll by which a stream socket that does not receive learns of a reset. Armed when reading is first paused, and not
 * ended when reading resumes: it completes only when the state of the connection changes, which happens once or twice.
 *
 * <p>Asks for no event of its own, because the kernel adds EPOLLERR, EPOLLHUP and EPOLLRDHUP to each poll. Only the first is a
 * reason to act: after the orderly end of the peer's output there may be bytes to read.
 */
final class EndRequest extends MultishotRequest<StreamRequests> {
    private final int fd;

    EndRequest(StreamRequests requests, int fd) {
        super(requests, HandleRequests.END);
        this.fd = fd;
    }

    /** Arms the poll if it is not armed. */
    void arm() {
        if (!requests.isClosed() && tryArm()) {
            requests.set().submissions().pollMultishot(fd, 0, requests.userData(HandleRequests.END));
        }
    }

    /**
     * Watcher. Takes the completion.
     *
     * @return the {@link Ready} bits to dispatch
     */
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
