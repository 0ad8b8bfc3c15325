package org.cabrank.kernel;

/** Layout of {@code struct timespec} (timespec(3type)), in bytes. Both fields are signed and have 64 bits. Nanoseconds are below 10^9. */
public final class TimeSpec {
    public static final int SIZE_BYTES = 16;
    public static final int SEC_OFFSET = 0;
    public static final int NSEC_OFFSET = 8;

    private TimeSpec() {}
}
