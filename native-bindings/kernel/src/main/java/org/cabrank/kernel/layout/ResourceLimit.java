package org.cabrank.kernel.layout;

/** Layout of {@code struct rlimit} (rlimit(3type)), in bytes: the soft and the hard limit, unsigned, 64 bits each. */
public final class ResourceLimit {
    public static final int SIZE_BYTES = 16;
    public static final int CUR_OFFSET = 0;
    public static final int MAX_OFFSET = 8;

    private ResourceLimit() {}
}
