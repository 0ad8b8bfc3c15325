package org.cabrank.epoll;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.cabrank.kernel.Epoll;
import org.cabrank.kernel.EpollEvent;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Kernel;
import org.cabrank.lf.HandleSet;
import org.cabrank.lf.Harvest;
import org.cabrank.lf.Ready;

/** What epoll_wait(2) has reported. */
final class EpollHarvest extends Harvest {
    private static final long NS_PER_MS = 1_000_000;

    private final Kernel kernel;
    private final int epollFd;
    private final int eventsMax;
    private final ByteBuffer events;
    private final long eventsAddress;
    private int harvested;
    private int position;
    private long key;
    private int ready;

    EpollHarvest(Kernel kernel, int epollFd, int eventsMax) {
        this.kernel = kernel;
        this.epollFd = epollFd;
        this.eventsMax = eventsMax;
        this.events =
                ByteBuffer.allocateDirect(eventsMax * EpollEvent.SIZE_BYTES).order(ByteOrder.nativeOrder());
        this.eventsAddress = kernel.addressOf(events);
    }

    @Override
    protected int await(long timeoutNs) throws IOException {
        position = 0;
        harvested = 0;
        int result = timeoutNs == 0
                ? kernel.epollPoll(epollFd, eventsAddress, eventsMax)
                : kernel.epollWait(epollFd, eventsAddress, eventsMax, timeoutMs(timeoutNs));
        if (result < 0 && result != -Errno.EINTR) {
            throw Errno.exception("epoll_wait", result);
        }
        harvested = Math.max(0, result);
        return harvested;
    }

    /** Rounded up: a timer must not find that it is still too early. */
    private static int timeoutMs(long timeoutNs) {
        return timeoutNs == HandleSet.FOREVER ? -1 : (int) Math.min(Integer.MAX_VALUE, (timeoutNs - 1) / NS_PER_MS + 1);
    }

    @Override
    protected boolean next() {
        while (position < harvested) {
            int offset = position++ * EpollEvent.SIZE_BYTES;
            key = events.getLong(offset + EpollEvent.DATA_OFFSET);
            if (key != EpollHandleSet.WAKEUP_KEY) {
                ready = ready(events.getInt(offset + EpollEvent.EVENTS_OFFSET));
                return true;
            }
        }
        return false;
    }

    private static int ready(int epollEvents) {
        int bits = epollEvents & Epoll.EPOLLIN; // READ
        bits |= (epollEvents & Epoll.EPOLLOUT) != 0 ? Ready.WRITE : 0;
        if ((epollEvents & ~(Epoll.EPOLLIN | Epoll.EPOLLOUT)) != 0) {
            bits |= (epollEvents & Epoll.EPOLLRDHUP) != 0 ? Ready.INPUT_CLOSED : 0;
            bits |= (epollEvents & Epoll.EPOLLHUP) != 0 ? Ready.HANGUP : 0;
            bits |= (epollEvents & Epoll.EPOLLERR) != 0 ? Ready.ERROR : 0;
        }
        return bits;
    }

    @Override
    protected long key() {
        return key;
    }

    @Override
    protected int ready() {
        return ready;
    }
}
