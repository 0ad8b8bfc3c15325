package org.cabrank.iouring;

/**
 * Who may use a ring. A ring remembers which task has submitted a request and completes it in that task's context, so it
 * matters to it how many there are: io_uring_setup(2), on the flags named here.
 */
public enum RingMode {
    /**
     * One thread submits, waits and harvests: {@code SINGLE_ISSUER | DEFER_TASKRUN}. The kernel refuses any other (EEXIST),
     * and the ring is of no use to anybody when that thread has ended. The fast mode.
     */
    OWNER,

    /** Any thread submits, and one at a time waits and harvests: {@code COOP_TASKRUN}, or {@link RingOptions#prompt}. */
    SHARED
}
