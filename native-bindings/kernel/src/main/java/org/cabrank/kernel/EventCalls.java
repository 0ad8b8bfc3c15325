package org.cabrank.kernel;

/** Descriptors that stand for something other than a socket: counters, clocks, signals. */
public interface EventCalls {

    /** eventfd(2). */
    int eventfd(int initialValue, int flags);

    /** timerfd_create(2). */
    int timerfdCreate(int clockId, int flags);

    /** timerfd_settime(2): {@code newValue} and {@code oldValue} point to {@code struct itimerspec}; old may be 0. */
    int timerfdSettime(int fd, int flags, long newValue, long oldValue);

    /** signalfd(2): {@code fd} -1 makes a new one; {@code mask} points to a {@code sigset_t}. */
    int signalfd(int fd, long mask, int flags);

    /** pthread_sigmask(3) for the calling thread; {@code set} and {@code oldSet} may be 0. */
    int pthreadSigmask(int how, long set, long oldSet);
}
