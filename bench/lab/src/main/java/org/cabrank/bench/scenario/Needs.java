package org.cabrank.bench.scenario;

import org.cabrank.bench.contender.Protocol;
import org.cabrank.bench.contender.ServerSettings;
import org.cabrank.bench.handler.SlowRequests;

/** Settings of the servers for a cell. Cells with equal needs share server processes. If {@code changing}, each cell sets the slowness. */
public record Needs(Protocol protocol, SlowRequests slow, boolean changing) {

    public static final Needs ECHO = new Needs(Protocol.ECHO, SlowRequests.NONE);
    public static final Needs HTTP = new Needs(Protocol.HTTP, SlowRequests.NONE);

    public static final Needs ECHO_TLS = new Needs(Protocol.ECHO_TLS, SlowRequests.NONE);
    public static final Needs DATAGRAMS = new Needs(Protocol.DATAGRAMS, SlowRequests.NONE);
    public static final Needs DATAGRAM_SEGMENTS = new Needs(Protocol.DATAGRAM_SEGMENTS, SlowRequests.NONE);

    public Needs(Protocol protocol, SlowRequests slow) {
        this(protocol, slow, false);
    }

    static Needs changing(Protocol protocol) {
        return new Needs(protocol, SlowRequests.NONE, true);
    }

    public String word() {
        return protocol.word();
    }

    Needs withSlow(SlowRequests requests) {
        return new Needs(protocol, requests, changing);
    }

    public ServerSettings settings(ServerSettings usual) {
        ServerSettings settings = usual.withSlow(slow).withProtocol(protocol);
        return changing ? settings.withSlowSwitch() : settings;
    }

    public String group() {
        if (changing) {
            return word() + ", slow requests of several kinds";
        }
        return slow.permille() == 0 ? word() : word() + ", " + slow.text();
    }
}
