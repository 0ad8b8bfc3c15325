package org.cabrank.kernel.layout;

/**
 * Layout of {@code struct rlimit} (rlimit(3type)), in bytes.
 *
 * <pre>
 * 0            8            16
 * | cur (soft) | max (hard) |    both unsigned, 64 bits
 * </pre>
 */
public final class ResourceLimit {
    public static final int SIZE_BYTES = 16;
    /** The soft limit: what the kernel enforces. */
    public static final int CUR_OFFSET = 0;
    /** The hard limit: how far the soft one may be raised without privilege. */
    public static final int MAX_OFFSET = 8;

    private ResourceLimit() {}
}
