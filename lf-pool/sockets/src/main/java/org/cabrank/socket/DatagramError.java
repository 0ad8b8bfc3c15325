package org.cabrank.socket;

import java.net.InetSocketAddress;

/**
 * A network error about a datagram that was sent earlier ({@code IP_RECVERR}, ip(7)). Immutable.
 *
 * @param destination destination of the datagram
 * @param errno positive {@link org.cabrank.kernel.Errno}, such as ECONNREFUSED (no socket at the port) or EMSGSIZE (exceeds the path MTU)
 * @param origin part of the network that the error comes from
 * @param icmpType type of the ICMP message; 0 if there was none
 * @param icmpCode code of the ICMP message; 0 if there was none
 * @param pathMtu path MTU in bytes, including the IP header, if the error is EMSGSIZE; 0 for any other error
 * @param reporter address of the router or host that has sent the ICMP message; null if there was none
 */
public record DatagramError(
        InetSocketAddress destination,
        int errno,
        Origin origin,
        int icmpType,
        int icmpCode,
        int pathMtu,
        InetSocketAddress reporter) {
    /** Origins of an error. */
    public enum Origin {
        LOCAL,
        ICMP,
        ICMPV6,
        /** Another part of the kernel. */
        OTHER
    }
}
