package org.cabrank.kernel.layout;

/** Layout of {@code struct io_uring_getevents_arg} (io_uring_enter(2)), in bytes. Requires {@link IoUring#IORING_ENTER_EXT_ARG}. */
public final class IoUringGeteventsArg {
    public static final int SIZE_BYTES = 24;
    /** Address of a signal mask, or 0. Has 64 bits. */
    public static final int SIGMASK_OFFSET = 0;

    /**
     * Time in us for which the call waits for all requested completions. After this time, one completion ends the wait. Has 32 bits. Must
     * be 0 without {@link IoUring#IORING_FEAT_MIN_TIMEOUT} (6.12).
     */
    public static final int MIN_WAIT_USEC_OFFSET = 12;

    /** Address of a {@code TimeSpec} with the maximum time to wait. If 0, the call waits indefinitely. Has 64 bits. */
    public static final int TS_OFFSET = 16;

    private IoUringGeteventsArg() {}
}
