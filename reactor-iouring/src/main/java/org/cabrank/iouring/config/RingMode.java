package org.cabrank.iouring.config;

/**
 * The threads that may use a ring. A ring remembers which task has submitted a request and completes it in that task's context,
 * so it matters to it how many there are: io_uring_setup(2), on the flags named here.
 */
public enum RingMode {
    /**
     * One thread submits, waits and harvests: {@code SINGLE_ISSUER | DEFER_TASKRUN}. The kernel refuses any other (EEXIST),
     * and the ring is of no use to anybody when that thread has ended. The fast mode.
     */
    OWNER,

    /**
     * Any thread submits, and one at a time waits and harvests: {@code COOP_TASKRUN}, or {@link RingOptions#prompt}.
     *
     * <p>The kernel wakes the submitter of a request from any system call that can be interrupted, in order to complete the
     * request. A handler that has blocked its thread is interrupted so, and any other thread that has submitted requests. The
     * kernel restarts most of these calls, and the JDK repeats its own. Native code must repeat calls that fail with EINTR:
     * epoll_wait(2), io_uring_enter(2), semop(2), socket calls with SO_RCVTIMEO or SO_SNDTIMEO, and all calls that signal(7) lists
     * as interrupted by stop signals. With {@link RingOptions#withSqPoll SQPOLL} a thread of the kernel is the submitter, and
     * nobody is interrupted; nor is the owner of an {@link #OWNER} ring on Linux 6.1 or later.
     */
    SHARED
}
