package org.cabrank.kernel.layout;

/**
 * Layout of {@code struct sock_extended_err} (ip(7)), in bytes: an entry of the error queue. The socket address of the error's origin
 * follows without a gap. Origin, type and code have 8 bits, the other fields 32.
 */
public final class SockExtendedErr {
    public static final int SIZE_BYTES = 16;

    public static final int ERRNO_OFFSET = 0;
    /** A {@code SO_EE_ORIGIN_} constant. */
    public static final int ORIGIN_OFFSET = 4;
    /** Type and code of the ICMP message. */
    public static final int TYPE_OFFSET = 5;

    public static final int CODE_OFFSET = 6;
    /** For EMSGSIZE, the path MTU. For a time stamp, its kind. */
    public static final int INFO_OFFSET = 8;
    /** For a time stamp, the number of the datagram. */
    public static final int DATA_OFFSET = 12;

    private SockExtendedErr() {}
}
