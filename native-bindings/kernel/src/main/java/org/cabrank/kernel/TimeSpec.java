package org.cabrank.kernel;

/** Layout of {@code struct timespec} (timespec(3type)), in bytes: seconds and nanoseconds (below 10^9), signed, 64 bits each. */
public final class TimeSpec {
    public static final int SIZE_BYTES = 16;
    public static final int SEC_OFFSET = 0;
    public static final int NSEC_OFFSET = 8;

    private TimeSpec() {}
}
