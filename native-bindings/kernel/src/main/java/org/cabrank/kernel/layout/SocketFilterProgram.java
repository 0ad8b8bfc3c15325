package org.cabrank.kernel.layout;

/**
 * Layout of {@code struct sock_fprog}, the value of {@code Sockets.SO_ATTACH_REUSEPORT_CBPF}, in bytes.
 *
 * <pre>
 * 0      2  8         16
 * | len  |  | filter  |    len: 16 bits, of instructions; filter: the address of the first
 * </pre>
 */
public final class SocketFilterProgram {
    public static final int SIZE_BYTES = 16;
    public static final int LEN_OFFSET = 0;
    /** The address of an array of {@link SocketFilterInstruction}. */
    public static final int FILTER_OFFSET = 8;

    private SocketFilterProgram() {}
}
