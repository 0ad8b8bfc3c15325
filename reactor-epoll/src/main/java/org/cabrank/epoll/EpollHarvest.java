package org.cabrank.epoll;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.function.LongFunction;
import org.cabrank.kernel.Epoll;
import org.cabrank.kernel.EpollEvent;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Kernel;
import org.cabrank.lf.handle.Handle;
import org.cabrank.lf.handle.HandleSet;
import org.cabrank.lf.handle.Harvest;
import org.cabrank.lf.handle.Ready;
import org.cabrank.socket.transport.KernelRetry;

/** Events reported by epoll_wait(2), or by epoll_pwait2(2) for a wait with a timeout. */
final class EpollHarvest extends Harvest {
    private final Kernel kernel;
    private final int epollFd;
    private final ByteBuffer events;
    private final long eventsAddress;
    private final TimedWait timedWait;
    private final KernelRetry retry;
    private final LongFunction<Handle> handles;
    private int harvested;
    private int position;
    private int ready;

    /** {@code handles} returns the handle of a key, or null if that handle has left the set. */
    EpollHarvest(Kernel kernel, int epollFd, KernelRetry retry, LongFunction<Handle> handles) {
        this.handles = handles;
        this.retry = retry;
        this.kernel = kernel;
        this.epollFd = epollFd;
        this.events = ByteBuffer.allocateDirect(HandleSet.HARVEST_MAX * EpollEvent.SIZE_BYTES)
                .order(ByteOrder.nativeOrder());
        this.eventsAddress = kernel.addressOf(events);
        this.timedWait = new TimedWait(kernel);
    }

    @Override
    protected int await(long timeoutNs) throws IOException {
        position = 0;
        harvested = 0;
        int result;
        if (timeoutNs == 0) {
            result = kernel.epollPoll(epollFd, eventsAddress, HandleSet.HARVEST_MAX);
        } else if (timeoutNs == HandleSet.FOREVER) {
            result = kernel.epollWait(epollFd, eventsAddress, HandleSet.HARVEST_MAX, -1);
        } else {
            result = timedWait.await(epollFd, eventsAddress, HandleSet.HARVEST_MAX, timeoutNs);
        }
        if (result < 0) {
            refused(result, timeoutNs);
            return 0;
        }
        retry.taken();
        harvested = result;
        return harvested;
    }

    /** Called after a wait has failed. If the set can still be used, returns normally. Otherwise throws an exception. */
    private void refused(int result, long timeoutNs) throws IOException {
        boolean timed = timeoutNs != 0 && timeoutNs != HandleSet.FOREVER;
        String call = timed ? timedWait.callName() : "epoll_wait";
        switch (WaitOutcome.of(-result)) {
            case OVER -> {
                // handled like a wait without an event
            }
            case PASSING -> {
                retry.refused(call, result);
                retry.sleep();
            }
            case BROKEN -> throw Errno.exception(call, result);
        }
    }

    @Override
    protected Handle next() {
        while (position < harvested) {
            int offset = position++ * EpollEvent.SIZE_BYTES;
            long key = events.getLong(offset + EpollEvent.DATA_OFFSET);
            if (key != EpollHandleSet.WAKEUP_KEY) {
                Handle handle = handles.apply(key);
                if (handle != null) {
                    int reported = events.getInt(offset + EpollEvent.EVENTS_OFFSET);
                    ready = ready(reported);
                    if ((reported & Epoll.EPOLLPRI) != 0) {
                        ((EpollHandle) handle).noteUrgent();
                        ready |= Ready.READ;
                    }
                    return handle;
                }
                noteStale();
            }
        }
        return null;
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
    protected int ready() {
        return ready;
    }
}
