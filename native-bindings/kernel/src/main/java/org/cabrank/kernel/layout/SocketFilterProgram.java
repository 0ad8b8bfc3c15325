package org.cabrank.kernel.layout;

/**
 * Layout of {@code struct sock_fprog}, the value of {@code Sockets.SO_ATTACH_REUSEPORT_CBPF}, in bytes: number of instructions (16 bits),
 * and address of the first {@link SocketFilterInstruction} (64 bits).
 */
public final class SocketFilterProgram {
    public static final int SIZE_BYTES = 16;
    public static final int LEN_OFFSET = 0;
    public static final int FILTER_OFFSET = 8;

    private SocketFilterProgram() {}
}
