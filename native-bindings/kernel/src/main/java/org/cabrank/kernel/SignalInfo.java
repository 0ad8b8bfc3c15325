package org.cabrank.kernel;

/**
 * Layout of {@code struct signalfd_siginfo} (signalfd(2)), in bytes: what a read of a signalfd brings for each signal.
 * Only the fields that every signal fills are named; all are 32 bits.
 *
 * <pre>
 * 0        4       8      12     16     20          128
 * | signo  | errno | code | pid  | uid  | ...       |
 * </pre>
 */
public final class SignalInfo {
    public static final int SIZE_BYTES = 128;
    public static final int SIGNO_OFFSET = 0;
    public static final int ERRNO_OFFSET = 4;
    public static final int CODE_OFFSET = 8;
    /** Who sent it. */
    public static final int PID_OFFSET = 12;
    /** The real user id of who sent it. */
    public static final int UID_OFFSET = 16;

    private SignalInfo() {}
}
