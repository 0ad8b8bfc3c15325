package org.cabrank.kernel.layout;

/**
 * Layout of {@code struct sock_filter}, one instruction of classic BPF, in bytes. Codes are in {@link SocketFilters}.
 *
 * <pre>
 * 0       2     3     4     8
 * | code  | jt  | jf  | k   |    16, 8, 8 and 32 bits, unsigned
 * </pre>
 */
public final class SocketFilterInstruction {
    public static final int SIZE_BYTES = 8;
    public static final int CODE_OFFSET = 0;
    /** Number of instructions that a jump skips if its condition holds. */
    public static final int JT_OFFSET = 2;
    /** Number of instructions that a jump skips if its condition does not hold. */
    public static final int JF_OFFSET = 3;

    public static final int K_OFFSET = 4;

    private SocketFilterInstruction() {}
}
