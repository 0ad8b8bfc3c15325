package org.cabrank.kernel;

/**
 * Layout of the part of {@code struct perf_event_attr} that every kernel has, in bytes; what is not named here is 0 for a
 * plain counter.
 *
 * <pre>
 * 0      4      8        16    32            40      48   64
 * | type | size | config | ... | read format | flags | ... |
 * </pre>
 */
public final class PerfEventAttr {
    /** The first version's. The kernel takes what is behind it for zeroes. */
    public static final int SIZE_BYTES = 64;
    /** {@code __u32}, one of {@code PERF_TYPE_*}. */
    public static final int TYPE_OFFSET = 0;
    /** {@code __u32}, {@link #SIZE_BYTES}. */
    public static final int SIZE_OFFSET = 4;
    /** {@code __u64}, one of {@code PERF_COUNT_*}, or the number of a tracepoint. */
    public static final int CONFIG_OFFSET = 8;
    /** {@code __u64} of {@code PERF_FORMAT_*}. */
    public static final int READ_FORMAT_OFFSET = 32;
    /** {@code __u64} of bit-fields, such as {@link PerfEvents#INHERIT}. */
    public static final int FLAGS_OFFSET = 40;

    private PerfEventAttr() {}
}
