package org.cabrank.kernel.layout;

/** Layout of {@code struct sock_filter}, in bytes: an instruction of classic BPF ({@link SocketFilters}). All fields are unsigned. */
public final class SocketFilterInstruction {
    public static final int SIZE_BYTES = 8;
    public static final int CODE_OFFSET = 0;
    /** Number of instructions that a jump skips if its condition is true. If it is false, {@link #JF_OFFSET} has the number. */
    public static final int JT_OFFSET = 2;

    public static final int JF_OFFSET = 3;

    public static final int K_OFFSET = 4;

    private SocketFilterInstruction() {}
}
