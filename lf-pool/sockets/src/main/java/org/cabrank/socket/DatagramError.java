package org.cabrank.socket;

import java.net.InetSocketAddress;

/**
 * A network error about a datagram that was sent earlier ({@code IP_RECVERR}, ip(7)). Immutable.
 *
 * @param destination destination of the datagram
 * @param errno positive errno, as {@link org.cabrank.kernel.Errno} names it: ECONNREFUSED (no socket at the port), EHOSTUNREACH,
 *     ENETUNREACH, EMSGSIZE (longer than the path MTU)
 * @param origin part of the network that the error comes from
 * @param icmpType type of the ICMP message; 0 if there was none
 * @param icmpCode code of the ICMP message; 0 if there was none
 * @param pathMtu with EMSGSIZE the path MTU in bytes, IP header included; 0 otherwise
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
