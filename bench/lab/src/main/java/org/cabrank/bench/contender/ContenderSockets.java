package org.cabrank.bench.contender;

import java.net.InetAddress;
import java.net.InetSocketAddress;

/** Socket settings that all contenders share, so that only the servers differ. */
public final class ContenderSockets {

    public static final int BACKLOG = 1_024;

    public static final String TUNING = "TCP_NODELAY, backlog " + BACKLOG;

    static final String HTTP_TUNING = "HTTP: parsed in place, answers made once a second";

    /** Every contender that serves datagrams can receive at least this length. It is longer than an Ethernet frame. */
    public static final int DATAGRAM_BYTES = 2_048;

    /** Number of datagrams that one system call sends or receives. */
    static final int DATAGRAM_BATCH = 64;

    static final int JOINED_BYTES = 65_535;

    /** Size of the receive buffer. Linux grants this size unless net.core.rmem_max is smaller. */
    static final int DATAGRAM_RECEIVE_BYTES = 212_992;

    static final String DATAGRAM_TUNING = "datagrams: SO_RCVBUF " + DATAGRAM_RECEIVE_BYTES;

    private ContenderSockets() {}

    public static InetSocketAddress anyPort() {
        return new InetSocketAddress(address(), 0);
    }

    public static InetAddress address() {
        return InetAddress.getLoopbackAddress();
    }
}
