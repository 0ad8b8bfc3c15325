package org.cabrank.bench.load;

import java.nio.ByteBuffer;
import org.cabrank.kernel.Epoll;
import org.cabrank.kernel.EpollEvent;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.KernelException;

/** One worker's epoll set: descriptors go by a token of the caller's. */
final class EventPoll {

    private static final int EVENTS_MAX = 512;

    private final Kernel kernel;
    private final ByteBuffer events = LoadConnection.buffer(EVENTS_MAX * EpollEvent.SIZE_BYTES);
    private final ByteBuffer change = LoadConnection.buffer(EpollEvent.SIZE_BYTES);
    private final long eventsAddress;
    private final long changeAddress;
    private int fd = -1;

    EventPoll(Kernel kernel) {
        this.kernel = kernel;
        eventsAddress = kernel.addressOf(events);
        changeAddress = kernel.addressOf(change);
    }

    void open() throws KernelException {
        fd = Errno.check("epoll_create1", kernel.epollCreate1(Epoll.EPOLL_CLOEXEC));
    }

    void close() {
        if (fd >= 0) {
            kernel.close(fd);
        }
    }

    /** 0, or a negative errno. */
    int watch(int operation, int watchedFd, int interest, int token) {
        change.putInt(EpollEvent.EVENTS_OFFSET, interest);
        change.putLong(EpollEvent.DATA_OFFSET, token);
        return kernel.epollCtl(fd, operation, watchedFd, changeAddress);
    }

    /** Waits for events; how many there are. */
    int await(int timeoutMs) throws KernelException {
        int count = kernel.epollWait(fd, eventsAddress, EVENTS_MAX, timeoutMs);
        if (count < 0 && count != -Errno.EINTR) {
            throw Errno.exception("epoll_wait", count);
        }
        return Math.max(0, count);
    }

    int token(int event) {
        return (int) events.getLong(event * EpollEvent.SIZE_BYTES + EpollEvent.DATA_OFFSET);
    }

    int happened(int event) {
        return events.getInt(event * EpollEvent.SIZE_BYTES + EpollEvent.EVENTS_OFFSET);
    }
}
