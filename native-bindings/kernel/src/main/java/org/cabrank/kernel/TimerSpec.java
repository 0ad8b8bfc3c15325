package org.cabrank.kernel;

/** Layout of {@code struct itimerspec} (itimerspec(3type)). First expiration 0 disarms the timer. Interval 0 makes it fire once. */
public final class TimerSpec {
    public static final int SIZE_BYTES = 32;
    public static final int INTERVAL_SEC_OFFSET = 0;
    public static final int INTERVAL_NSEC_OFFSET = 8;
    public static final int VALUE_SEC_OFFSET = 16;
    public static final int VALUE_NSEC_OFFSET = 24;

    private TimerSpec() {}
}
