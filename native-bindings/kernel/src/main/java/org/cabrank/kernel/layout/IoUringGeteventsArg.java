package org.cabrank.kernel.layout;

/** Layout of {@code struct io_uring_getevents_arg} (io_uring_enter(2)), in bytes, with {@link IoUring#IORING_ENTER_EXT_ARG}. */
public final class IoUringGeteventsArg {
    public static final int SIZE_BYTES = 24;
    /** 64 bits: address of a signal mask, or 0. */
    public static final int SIGMASK_OFFSET = 0;

    /** 32 bits: time in us after which one completion ends the wait (6.12, {@link IoUring#IORING_FEAT_MIN_TIMEOUT}); 0 before 6.12. */
    public static final int MIN_WAIT_USEC_OFFSET = 12;

    /** 64 bits: address of a {@code TimeSpec} with the maximum time to wait; 0: waits indefinitely. */
    public static final int TS_OFFSET = 16;

    private IoUringGeteventsArg() {}
}
