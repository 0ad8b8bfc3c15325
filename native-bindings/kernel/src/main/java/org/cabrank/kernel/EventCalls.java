package org.cabrank.kernel;

import org.cabrank.kernel.layout.SignalInfo;
import org.cabrank.kernel.layout.SignalSet;

/** Calls for descriptors of counters, timers and signals. Constants are in {@link Events}. */
public interface EventCalls extends NativeCalls {

    /** eventfd(2), with {@code EFD_} flags. Returns the descriptor. Each read or write transfers 8 bytes. */
    default int eventfd(int initialValue, int flags) {
        return (int) call(CFunction.EVENTFD, initialValue, flags, 0, 0, 0, 0);
    }

    /** timerfd_create(2), with {@code TFD_} flags. Returns the descriptor. A read returns the number of expirations. */
    default int timerfdCreate(int clockId, int flags) {
        return (int) call(CFunction.TIMERFD_CREATE, clockId, flags, 0, 0, 0, 0);
    }

    /** timerfd_settime(2). {@code newValue} and {@code oldValue} are addresses of a {@link TimerSpec}; {@code oldValue} may be 0. */
    default int timerfdSettime(int fd, int flags, long newValue, long oldValue) {
        return (int) call(CFunction.TIMERFD_SETTIME, fd, flags, newValue, oldValue, 0, 0);
    }

    /**
     * signalfd(2). If {@code fd} is -1, makes a new descriptor. {@code mask} is the address of a {@link SignalSet}. A read returns a {@link
     * SignalInfo} for each blocked signal that is pending for the reading thread or the process.
     */
    default int signalfd(int fd, long mask, int flags) {
        return (int) call(CFunction.SIGNALFD, fd, mask, flags, 0, 0, 0);
    }

    /** pthread_sigmask(3) for the calling thread. {@code set} and {@code oldSet} are addresses of a {@link SignalSet}, or 0. */
    default int pthreadSigmask(int how, long set, long oldSet) {
        return -(int) call(CFunction.PTHREAD_SIGMASK, how, set, oldSet, 0, 0, 0);
    }

    /**
     * kill(2): sends {@code signal} to the process {@code pid}. With signal 0, the call sends nothing and only checks that a signal could
     * be sent. Fails with {@code ESRCH} if the process does not exist, and with {@code EPERM} if it belongs to another user.
     */
    default int kill(int pid, int signal) {
        return (int) call(CFunction.KILL, pid, signal, 0, 0, 0, 0);
    }
}
