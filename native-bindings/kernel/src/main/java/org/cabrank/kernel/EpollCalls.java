package org.cabrank.kernel;

/** Calls of epoll(7). Constants are in {@link Epoll}. {@link EpollEvent} has the layout of {@code struct epoll_event}. */
public interface EpollCalls extends NativeCalls {

    /** epoll_create1(2), with {@link Epoll#EPOLL_CLOEXEC} or 0. Returns the descriptor. */
    default int epollCreate1(int flags) {
        return (int) call(CFunction.EPOLL_CREATE1, flags, 0, 0, 0, 0, 0);
    }

    /** epoll_ctl(2). {@code event} is the address of an {@link EpollEvent}, or 0 for {@link Epoll#EPOLL_CTL_DEL}. */
    default int epollCtl(int epollFd, int operation, int fd, long event) {
        return (int) call(CFunction.EPOLL_CTL, epollFd, operation, fd, event, 0, 0);
    }

    /**
     * epoll_wait(2). May block, and may fail with {@code EINTR}.
     *
     * @param events address of memory for {@code maxEvents} events
     * @param maxEvents at least 1
     * @param timeoutMs maximum time to wait, in ms. With 0 the call returns at once. With -1 it waits indefinitely
     * @return number of events written, or 0 after the timeout
     */
    default int epollWait(int epollFd, long events, int maxEvents, int timeoutMs) {
        return (int) call(CFunction.EPOLL_WAIT, epollFd, events, maxEvents, timeoutMs, 0, 0);
    }

    /**
     * epoll_pwait2(2) without a signal mask: {@link #epollWait} with a timeout in ns. Fails with {@code ENOSYS} before Linux 5.11, and with
     * {@code EPERM} under a seccomp filter that does not know the call.
     *
     * @param timeout address of a {@link TimeSpec}. If the address is 0, the call waits indefinitely
     */
    default int epollPwait2(int epollFd, long events, int maxEvents, long timeout) {
        // glibc has a function for this call only since 2.35. Without a mask, the kernel ignores the size of the mask.
        return (int) call(SystemCall.EPOLL_PWAIT2, epollFd, events, maxEvents, timeout, 0, 0);
    }

    /** {@code epoll_wait} with timeout 0, for spinning. It cannot block, so a binding may call it without a thread transition. */
    default int epollPoll(int epollFd, long events, int maxEvents) {
        return epollWait(epollFd, events, maxEvents, 0);
    }
}
