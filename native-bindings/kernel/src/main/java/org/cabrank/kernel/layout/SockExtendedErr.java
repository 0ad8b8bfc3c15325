package org.cabrank.kernel.layout;

/**
 * Layout of {@code struct sock_extended_err} (ip(7)), in bytes: an entry of the error queue. The address of its origin follows at once.
 *
 * <pre>
 * 0       4        5      6      7     8      12     16
 * | errno | origin | type | code | pad | info | data |
 * </pre>
 */
public final class SockExtendedErr {
    public static final int SIZE_BYTES = 16;

    public static final int ERRNO_OFFSET = 0;
    /** One of {@code SO_EE_ORIGIN_}, 8 bits. */
    public static final int ORIGIN_OFFSET = 4;
    /** Type of the ICMP message, 8 bits. */
    public static final int TYPE_OFFSET = 5;
    /** Code of the ICMP message, 8 bits. */
    public static final int CODE_OFFSET = 6;
    /** With EMSGSIZE the path MTU; of a time stamp its kind. */
    public static final int INFO_OFFSET = 8;
    /** Of a time stamp the number of the datagram. */
    public static final int DATA_OFFSET = 12;

    private SockExtendedErr() {}
}
