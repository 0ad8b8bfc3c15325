package org.cabrank.socket;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.TimeUnit;
import org.cabrank.kernel.Epoll;
import org.cabrank.kernel.EpollEvent;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.Scheduling;
import org.cabrank.kernel.SchedulingParameter;
import org.cabrank.lf.IdleWait;

/**
 * Waits until the descriptor of a handle set is readable, as poll(2) means it: an epoll descriptor is while events wait to be
 * harvested. By an epoll set of its own, which harvests nothing from the other.
 */
final class DescriptorIdleWait implements IdleWait {
    private final Kernel kernel;
    private final int epollFd;

    /** One struct epoll_event, for epoll_ctl and for epoll_wait. */
    private final ByteBuffer event = direct(EpollEvent.SIZE_BYTES);

    private final long eventAddress;
    private final ByteBuffer parameter = direct(SchedulingParameter.SIZE_BYTES);
    private final long parameterAddress;

    private DescriptorIdleWait(Kernel kernel, int epollFd) {
        this.kernel = kernel;
        this.epollFd = epollFd;
        this.eventAddress = kernel.addressOf(event);
        this.parameterAddress = kernel.addressOf(parameter);
    }

    /**
     * @param readable descriptor of the handle set, which stays open as long as the wait does
     * @throws IOException if the process may have no more descriptors
     */
    static DescriptorIdleWait open(Kernel kernel, int readable) throws IOException {
        int epollFd = Errno.check("epoll_create1", kernel.epollCreate1(Epoll.EPOLL_CLOEXEC));
        try {
            DescriptorIdleWait wait = new DescriptorIdleWait(kernel, epollFd);
            wait.event.putInt(EpollEvent.EVENTS_OFFSET, Epoll.EPOLLIN);
            Errno.check("epoll_ctl", kernel.epollCtl(epollFd, Epoll.EPOLL_CTL_ADD, readable, wait.eventAddress));
            return wait;
        } catch (Throwable refused) {
            kernel.close(epollFd);
            throw refused;
        }
    }

    private static ByteBuffer direct(int bytes) {
        return ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder());
    }

    @Override
    public void begin() throws IOException {
        parameter.putInt(SchedulingParameter.PRIORITY_OFFSET, 0);
        int result = kernel.schedSetscheduler(0, Scheduling.SCHED_IDLE, parameterAddress);
        Errno.check("sched_setscheduler to SCHED_IDLE, perhaps refused by a seccomp filter", result);
    }

    @Override
    public boolean await(long timeoutNs) throws IOException {
        int timeoutMs = (int) Math.min(Integer.MAX_VALUE, TimeUnit.NANOSECONDS.toMillis(timeoutNs - 1) + 1);
        int result = kernel.epollWait(epollFd, eventAddress, 1, timeoutMs);
        return result != -Errno.EINTR && Errno.check("epoll_wait", result) > 0;
    }

    @Override
    public void close() {
        kernel.close(epollFd);
    }
}
