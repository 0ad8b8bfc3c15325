package org.cabrank.bench.load.engine;

import java.nio.ByteBuffer;
import org.cabrank.kernel.Epoll;
import org.cabrank.kernel.EpollEvent;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.KernelException;

/** One worker's epoll set. */
public final class EventPoll {

    private static final int EVENTS_MAX = 512;

    private final Kernel kernel;
    private final ByteBuffer events = NativeBuffers.of(EVENTS_MAX * EpollEvent.SIZE_BYTES);
    private final ByteBuffer change = NativeBuffers.of(EpollEvent.SIZE_BYTES);
    private final long eventsAddress;
    private final long changeAddress;
    private int fd = -1;

    public EventPoll(Kernel kernel) {
        this.kernel = kernel;
        eventsAddress = kernel.addressOf(events);
        changeAddress = kernel.addressOf(change);
    }

    public void open() throws KernelException {
        fd = Errno.check("epoll_create1", kernel.epollCreate1(Epoll.EPOLL_CLOEXEC));
    }

    public void close() {
        if (fd >= 0) {
            kernel.close(fd);
        }
    }

    /** Returns 0 or a negative errno. */
    public int watch(int operation, int watchedFd, int interest, int token) {
        change.putInt(EpollEvent.EVENTS_OFFSET, interest);
        change.putLong(EpollEvent.DATA_OFFSET, token);
        return kernel.epollCtl(fd, operation, watchedFd, changeAddress);
    }

    public int await(int timeoutMs) throws KernelException {
        int count = kernel.epollWait(fd, eventsAddress, EVENTS_MAX, timeoutMs);
        if (count < 0 && count != -Errno.EINTR) {
            throw Errno.exception("epoll_wait", count);
        }
        return Math.max(0, count);
    }

    public int token(int event) {
        return (int) events.getLong(event * EpollEvent.SIZE_BYTES + EpollEvent.DATA_OFFSET);
    }

    public int happened(int event) {
        return events.getInt(event * EpollEvent.SIZE_BYTES + EpollEvent.EVENTS_OFFSET);
    }
}
