package org.cabrank.kernel.layout;

/** Layout of {@code struct signalfd_siginfo}, in bytes. All fields have 32 bits. The signal determines the valid fields (sigaction(2)). */
public final class SignalInfo {
    public static final int SIZE_BYTES = 128;
    public static final int SIGNO_OFFSET = 0;
    public static final int ERRNO_OFFSET = 4;
    public static final int CODE_OFFSET = 8;
    public static final int PID_OFFSET = 12;
    public static final int UID_OFFSET = 16;

    /** For SIGCHLD, the exit status of the child, or the signal that ended the child. */
    public static final int STATUS_OFFSET = 40;
    /** The number that sigqueue(3) sent. */
    public static final int INT_OFFSET = 44;

    private SignalInfo() {}
}
