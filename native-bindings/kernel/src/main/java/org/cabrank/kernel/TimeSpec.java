package org.cabrank.kernel;

/**
 * Layout of {@code struct timespec} (timespec(3type)), in bytes: a span of time, or a moment of some clock.
 *
 * <pre>
 * 0              8                    16
 * | seconds      | ns, below 10^9     |    each signed, 64 bits
 * </pre>
 */
public final class TimeSpec {
    public static final int SIZE_BYTES = 16;
    public static final int SEC_OFFSET = 0;
    public static final int NSEC_OFFSET = 8;

    private TimeSpec() {}
}
