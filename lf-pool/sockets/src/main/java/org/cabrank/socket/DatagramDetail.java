package org.cabrank.socket;

/** A detail that the kernel gives with each datagram (cmsg(3)); costs some tens of ns. A refusal is logged with the remedy. */
public enum DatagramDetail {
    /** Destination address and interface ({@code IP_PKTINFO}, {@code IPV6_RECVPKTINFO}), which distinguish groups. */
    DESTINATION,
    /** DSCP and ECN ({@code IP_RECVTOS}, {@code IPV6_RECVTCLASS}). */
    TRAFFIC_CLASS,
    /** Time at which the kernel took the datagram from the device ({@code SO_TIMESTAMPING}, software), by CLOCK_REALTIME. */
    RECEIVE_TIME,
    /**
     * Time at which the network device received the datagram ({@code SO_TIMESTAMPING}, raw hardware), by the device's clock. Another
     * program ({@code hwstamp_ctl}, ptp4l) must have configured the device for that.
     */
    HARDWARE_TIME,
    /** Number of datagrams that the socket has dropped ({@code SO_RXQ_OVFL}). */
    DROPS,
    /**
     * Joined datagrams of one flow ({@code UDP_GRO}, Linux 5.0): one {@link Datagram} may hold up to 64 segments of
     * {@link Datagram#segmentBytes} bytes, the last of which may be shorter. The handler must split the data.
     */
    SEGMENTS
}
