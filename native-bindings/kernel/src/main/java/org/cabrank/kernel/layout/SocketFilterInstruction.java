package org.cabrank.kernel.layout;

/** Layout of {@code struct sock_filter} in bytes: an instruction of classic BPF ({@link SocketFilters}). Unsigned: 16, 8, 8, 32 bits. */
public final class SocketFilterInstruction {
    public static final int SIZE_BYTES = 8;
    public static final int CODE_OFFSET = 0;
    /** Number of instructions that a jump skips if its condition is true; {@link #JF_OFFSET}: if false. */
    public static final int JT_OFFSET = 2;

    public static final int JF_OFFSET = 3;

    public static final int K_OFFSET = 4;

    private SocketFilterInstruction() {}
}
