package org.cabrank.kernel;

/** Constants of eventfd(2), timerfd_create(2), signalfd(2), clock_gettime(2) and signal(7), for {@link EventCalls}. */
public final class Events {
    public static final int EFD_SEMAPHORE = 1;
    public static final int EFD_NONBLOCK = 0x800;
    public static final int EFD_CLOEXEC = 0x80000;

    public static final int TFD_NONBLOCK = 0x800;
    public static final int TFD_CLOEXEC = 0x80000;
    /** Flag of timerfd_settime(2): the first expiration is an absolute time of the clock, not a delay. */
    public static final int TFD_TIMER_ABSTIME = 1;

    public static final int SFD_NONBLOCK = 0x800;
    public static final int SFD_CLOEXEC = 0x80000;

    public static final int CLOCK_REALTIME = 0;
    /** The clock of {@link System#nanoTime()} on Linux. */
    public static final int CLOCK_MONOTONIC = 1;

    public static final int SIG_BLOCK = 0;
    public static final int SIG_SETMASK = 2;

    public static final int SIGHUP = 1;
    public static final int SIGINT = 2;
    public static final int SIGQUIT = 3;
    public static final int SIGUSR1 = 10;
    public static final int SIGUSR2 = 12;
    public static final int SIGPIPE = 13;
    public static final int SIGTERM = 15;
    public static final int SIGCHLD = 17;
    public static final int SIGCONT = 18;
    public static final int SIGSTOP = 19;
    public static final int SIGWINCH = 28;

    private Events() {}
}
