package org.cabrank.kernel.layout;

/**
 * Layout of {@code struct io_uring_getevents_arg} (io_uring_enter(2)), in bytes: how to wait, with
 * {@link IoUring#IORING_ENTER_EXT_ARG}.
 *
 * <pre>
 * 0          8            12          16    24
 * | sigmask  | sigmask sz | min wait  | ts  |
 * </pre>
 */
public final class IoUringGeteventsArg {
    public static final int SIZE_BYTES = 24;
    /** {@code __u64}, the address of a signal mask, or 0. */
    public static final int SIGMASK_OFFSET = 0;

    /** {@code __u32}: after so many us one completion is enough (6.12, {@link IoUring#IORING_FEAT_MIN_TIMEOUT}); 0 before. */
    public static final int MIN_WAIT_USEC_OFFSET = 12;

    /** {@code __u64}: address of a {@code TimeSpec} with the maximum time to wait; 0: wait indefinitely. */
    public static final int TS_OFFSET = 16;

    private IoUringGeteventsArg() {}
}
