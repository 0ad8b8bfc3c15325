package org.cabrank.kernel.layout;

/**
 * Layout of {@code struct signalfd_siginfo} (signalfd(2)), in bytes: what a read of a signalfd brings for each signal.
 * All fields that are named here are 32 bits; which of them mean something depends on the code (sigaction(2)).
 *
 * <pre>
 * 0        4       8      12     16     20    40       44    48    128
 * | signo  | errno | code | pid  | uid  | ... | status | int | ... |
 * </pre>
 */
public final class SignalInfo {
    public static final int SIZE_BYTES = 128;
    public static final int SIGNO_OFFSET = 0;
    public static final int ERRNO_OFFSET = 4;
    public static final int CODE_OFFSET = 8;
    /** Process id of the sender. */
    public static final int PID_OFFSET = 12;
    /** The real user id of who sent it. */
    public static final int UID_OFFSET = 16;

    /** SIGCHLD: the exit status or the signal that ended the child. */
    public static final int STATUS_OFFSET = 40;
    /** The number that sigqueue(3) sent. */
    public static final int INT_OFFSET = 44;

    private SignalInfo() {}
}
