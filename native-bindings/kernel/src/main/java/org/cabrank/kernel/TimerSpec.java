package org.cabrank.kernel;

/**
 * Layout of {@code struct itimerspec} (itimerspec(3type)), in bytes: when a timer fires first, and how often after
 * that.
 *
 * <pre>
 * 0              8               16           24            32
 * | interval sec | interval nsec | value sec  | value nsec  |    each signed, 64 bits
 * </pre>
 *
 * An all-zero value disarms the timer; an all-zero interval makes it fire once.
 */
public final class TimerSpec {
    public static final int SIZE_BYTES = 32;
    public static final int INTERVAL_SEC_OFFSET = 0;
    public static final int INTERVAL_NSEC_OFFSET = 8;
    public static final int VALUE_SEC_OFFSET = 16;
    public static final int VALUE_NSEC_OFFSET = 24;

    private TimerSpec() {}
}
