package org.cabrank.socket;

/** A detail that the kernel gives with each datagram (cmsg(3)). Each detail costs some tens of ns. A refusal by the kernel is logged. */
public enum DatagramDetail {
    /** Destination address and interface ({@code IP_PKTINFO}, {@code IPV6_RECVPKTINFO}), which distinguish groups. */
    DESTINATION,
    /** DSCP and ECN ({@code IP_RECVTOS}, {@code IPV6_RECVTCLASS}). */
    TRAFFIC_CLASS,
    /** Time at which the kernel took the datagram from the device ({@code SO_TIMESTAMPING}, software), by CLOCK_REALTIME. */
    RECEIVE_TIME,
    /** Time at which the device received the datagram, by its clock. A program such as {@code hwstamp_ctl} or ptp4l must enable it. */
    HARDWARE_TIME,
    /** Number of datagrams that the socket has dropped ({@code SO_RXQ_OVFL}). */
    DROPS,
    /** Joins up to 64 datagrams of a flow ({@code UDP_GRO}, Linux 5.0); see {@link Datagram#segmentBytes}. The last one may be shorter. */
    SEGMENTS
}
