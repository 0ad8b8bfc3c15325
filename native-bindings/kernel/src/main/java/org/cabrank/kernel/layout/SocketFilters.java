package org.cabrank.kernel.layout;

/**
 * Codes of classic BPF, for {@link SocketFilterInstruction}s. A code is or-ed from one constant of each column:
 *
 * <pre>
 * load        BPF_LD  | BPF_W             | BPF_ABS    A = value that k selects (SKF_AD_OFF + SKF_AD_CPU: the CPU)
 * arithmetic  BPF_ALU | BPF_AND, BPF_MOD  | BPF_K      A = A op k
 * jump        BPF_JMP | BPF_JEQ, BPF_JGE  | BPF_K      skip jt instructions if A op k, else jf
 * return      BPF_RET | BPF_K, BPF_A                   the program's result: k, or A
 * </pre>
 */
public final class SocketFilters {
    public static final int BPF_LD = 0x00;
    public static final int BPF_ALU = 0x04;
    public static final int BPF_JMP = 0x05;
    public static final int BPF_RET = 0x06;

    public static final int BPF_W = 0x00;

    public static final int BPF_H = 0x08;
    public static final int BPF_B = 0x10;

    public static final int BPF_ABS = 0x20;
    public static final int BPF_MOD = 0x90;
    public static final int BPF_JGE = 0x30;

    public static final int BPF_K = 0x00;
    /** The accumulator A, as operand or result. */
    public static final int BPF_A = 0x10;

    public static final int BPF_MAXINSNS = 4096;

    /** Added to a {@code SKF_AD_} constant. The load then reads a value of the kernel instead of bytes of the packet. */
    public static final int SKF_AD_OFF = -0x1000;
    /** The CPU that runs the program, which is the CPU that took the packet from the network device. */
    public static final int SKF_AD_CPU = 36;

    private SocketFilters() {}
}
