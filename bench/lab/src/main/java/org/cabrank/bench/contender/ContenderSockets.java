package org.cabrank.bench.contender;

import java.net.InetAddress;
import java.net.InetSocketAddress;

/** Socket settings that all contenders share, so that only the servers differ. */
public final class ContenderSockets {

    /** Room for a burst of connections while a server starts. */
    public static final int BACKLOG = 1_024;

    /** For the report. */
    public static final String TUNING = "TCP_NODELAY, backlog " + BACKLOG;

    /** Tuning of the contenders that parse HTTP themselves, for the report. */
    static final String HTTP_TUNING = "HTTP: parsed in place, answers made once a second";

    private ContenderSockets() {}

    /** A free port of the loopback interface. */
    public static InetSocketAddress anyLoopbackPort() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    }
}
