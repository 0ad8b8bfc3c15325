package org.cabrank.kernel.layout;

/** Layout of {@code struct sock_fprog}, in bytes: the number of instructions (16 bits) and the address of the first (64 bits). */
public final class SocketFilterProgram {
    public static final int SIZE_BYTES = 16;
    public static final int LEN_OFFSET = 0;
    public static final int FILTER_OFFSET = 8;

    private SocketFilterProgram() {}
}
