package org.cabrank.kernel.layout;

/** Layout of {@code struct iovec} (iovec(3type)), in bytes: address and length, 64 bits each. */
public final class IoVec {
    public static final int SIZE_BYTES = 16;
    public static final int BASE_OFFSET = 0;
    public static final int LEN_OFFSET = 8;

    private IoVec() {}
}
