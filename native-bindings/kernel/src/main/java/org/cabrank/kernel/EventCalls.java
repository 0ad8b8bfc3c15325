package org.cabrank.kernel;

/**
 * Descriptors that stand for something other than a socket: counters, clocks, signals. Constants are in {@link Events}.
 * Every method returns {@code -errno} on failure.
 */
public interface EventCalls {

    /** eventfd(2), with flags {@code EFD_}: the descriptor. Reads and writes are of 8 bytes. */
    int eventfd(int initialValue, int flags);

    /**
     * timerfd_create(2), with a {@code CLOCK_} and flags {@code TFD_}: the descriptor. A read gives how often it fired.
     */
    int timerfdCreate(int clockId, int flags);

    /** timerfd_settime(2): {@code newValue} and {@code oldValue} point to a {@link TimerSpec}; the old may be 0. */
    int timerfdSettime(int fd, int flags, long newValue, long oldValue);

    /**
     * signalfd(2): {@code fd} -1 makes a new one; {@code mask} points to a {@link SignalSet}. A read gives one {@link
     * SignalInfo} for each signal that is pending for the reading thread or the process, and blocked.
     */
    int signalfd(int fd, long mask, int flags);

    /**
     * pthread_sigmask(3) for the calling thread; {@code set} and {@code oldSet} point to a {@link SignalSet} or are 0.
     */
    int pthreadSigmask(int how, long set, long oldSet);

    /**
     * kill(2): sends {@code signal} to the process {@code pid}; 0 as the signal sends none and finds out whether one could
     * be sent. The other process may meet it a moment later.
     *
     * @return 0; {@code ESRCH} when there is no such process; {@code EPERM} for a process of another user, without CAP_KILL
     */
    int kill(int pid, int signal);
}
