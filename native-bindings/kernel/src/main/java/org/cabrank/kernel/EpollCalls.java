package org.cabrank.kernel;

/** epoll(7). The layout of {@code struct epoll_event} differs between ABIs: see {@link EpollEvent}. */
public interface EpollCalls {

    int epollCreate1(int flags);

    /** Adds, modifies or deletes; {@code event} is the address of a {@code struct epoll_event}, 0 to delete. */
    int epollCtl(int epollFd, int operation, int fd, long event);

    /** Waits until events are there or {@code timeoutMs} have passed (-1: for ever, 0: not at all). May block. */
    int epollWait(int epollFd, long events, int maxEvents, int timeoutMs);

    /**
     * {@code epoll_wait} with timeout 0. It cannot block, so an implementation may link it as a call that does not leave
     * the Java state of the thread: use it for spinning.
     */
    int epollPoll(int epollFd, long events, int maxEvents);
}
