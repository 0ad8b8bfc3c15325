package org.cabrank.kernel;

import org.cabrank.kernel.layout.EpollEvent;

/**
 * epoll(7). Constants are in {@link Epoll}; the layout of {@code struct epoll_event} differs between ABIs, see {@link
 * EpollEvent}. Every method returns {@code -errno} on failure.
 */
public interface EpollCalls extends NativeCalls {

    /** epoll_create1(2), with {@link Epoll#EPOLL_CLOEXEC} or 0: the descriptor. */
    default int epollCreate1(int flags) {
        return (int) call(CFunction.EPOLL_CREATE1, flags, 0, 0, 0, 0, 0);
    }

    /**
     * epoll_ctl(2): adds, modifies or deletes; {@code event} is the address of a {@code struct epoll_event}, 0 to
     * delete. Safe while other threads wait on the same epoll.
     */
    default int epollCtl(int epollFd, int operation, int fd, long event) {
        return (int) call(CFunction.EPOLL_CTL, epollFd, operation, fd, event, 0, 0);
    }

    /**
     * epoll_wait(2): waits for events. May block, and may fail with {@code EINTR}.
     *
     * @param events address of memory for {@code maxEvents} events
     * @param maxEvents at least 1
     * @param timeoutMs maximum time to wait in ms; -1: indefinitely, 0: returns at once
     * @return number of events written; 0 after the timeout
     */
    default int epollWait(int epollFd, long events, int maxEvents, int timeoutMs) {
        return (int) call(CFunction.EPOLL_WAIT, epollFd, events, maxEvents, timeoutMs, 0, 0);
    }

    /**
     * epoll_pwait2(2) without a signal mask: as {@link #epollWait}, with a timeout in ns. Available since Linux 5.11; fails
     * with {@code ENOSYS} on earlier kernels, and with {@code EPERM} under a seccomp filter that does not know the call.
     *
     * @param timeout address of a {@code struct timespec} ({@link TimeSpec}), which is only read; 0: wait indefinitely
     */
    default int epollPwait2(int epollFd, long events, int maxEvents, long timeout) {
        // glibc has had a function for it since 2.35 only. The size of the mask is not looked at where there is none.
        return (int) call(SystemCall.EPOLL_PWAIT2, epollFd, events, maxEvents, timeout, 0, 0);
    }

    /**
     * {@code epoll_wait} with timeout 0. It cannot block, so an implementation may link it as a call that does not
     * leave the Java state of the thread: use it for spinning.
     */
    default int epollPoll(int epollFd, long events, int maxEvents) {
        return epollWait(epollFd, events, maxEvents, 0);
    }
}
