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
     * epoll_wait(2): waits until events are there or {@code timeoutMs} have passed (-1: for ever, 0: not at all). May
     * block, and may end with {@code EINTR}.
     *
     * @param events the address of room for {@code maxEvents}, at least 1
     * @return how many events were written, 0 when the time was over
     */
    int epollWait(int epollFd, long events, int maxEvents, int timeoutMs);

    /**
     * epoll_pwait2(2) without a signal mask: as {@link #epollWait}, but the time is told in ns. Linux has it from 5.11 on;
     * before, it fails with {@code ENOSYS}. A container's seccomp filter that was made before it may refuse it with {@code
     * EPERM}.
     *
     * @param timeout the address of a {@code struct timespec} ({@link TimeSpec}), which is only read; 0: for ever
     */
    int epollPwait2(int epollFd, long events, int maxEvents, long timeout);

    /**
     * {@code epoll_wait} with timeout 0. It cannot block, so an implementation may link it as a call that does not
     * leave the Java state of the thread: use it for spinning.
     */
    int epollPoll(int epollFd, long events, int maxEvents);
}
