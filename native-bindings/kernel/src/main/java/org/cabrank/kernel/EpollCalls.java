package org.cabrank.kernel;

/**
 * epoll(7). Constants are in {@link Epoll}; the layout of {@code struct epoll_event} differs between ABIs, see {@link
 * EpollEvent}. Every method returns {@code -errno} on failure.
 */
public interface EpollCalls {

    /** epoll_create1(2), with {@link Epoll#EPOLL_CLOEXEC} or 0: the descriptor. */
    int epollCreate1(int flags);

    /**
     * epoll_ctl(2): adds, modifies or deletes; {@code event} is the address of a {@code struct epoll_event}, 0 to
     * delete. Safe while other threads wait on the same epoll.
     */
    int epollCtl(int epollFd, int operation, int fd, long event);

    /**
     * epoll_wait(2): waits for events. May block, and may fail with {@code EINTR}.
     *
     * @param events address of memory for {@code maxEvents} events
     * @param maxEvents at least 1
     * @param timeoutMs maximum time to wait in ms; -1: indefinitely, 0: returns at once
     * @return number of events written; 0 after the timeout
     */
    int epollWait(int epollFd, long events, int maxEvents, int timeoutMs);

    /**
     * epoll_pwait2(2) without a signal mask: as {@link #epollWait}, with a timeout in ns. Available since Linux 5.11; fails
     * with {@code ENOSYS} on earlier kernels, and with {@code EPERM} under a seccomp filter that does not know the call.
     *
     * @param timeout address of a {@code struct timespec} ({@link TimeSpec}), which is only read; 0: wait indefinitely
     */
    int epollPwait2(int epollFd, long events, int maxEvents, long timeout);

    /**
     * {@code epoll_wait} with timeout 0. It cannot block, so an implementation may link it as a call that does not
     * leave the Java state of the thread: use it for spinning.
     */
    int epollPoll(int epollFd, long events, int maxEvents);
}
