package org.cabrank.bench.scenario;

import org.cabrank.bench.contender.Protocol;
import org.cabrank.bench.contender.ServerSettings;
import org.cabrank.bench.handler.SlowRequests;

/**
 * Settings with which servers are started for a cell. Cells with equal needs form a group: the same processes serve them.
 *
 * @param slow simulated blocking of handlers
 * @param program program that loads the servers
 * @param net network between the load and the servers
 * @param changing true if each cell has a slowness of its own, to which running servers change; {@code slow} is none then
 */
public record Needs(Protocol protocol, SlowRequests slow, LoadProgram program, Net net, boolean changing) {

    /** Programs that load servers. */
    public enum LoadProgram {
        /** The generator of this project. */
        OWN,
        WRK;

        /** Returns the usual program for a protocol. */
        static LoadProgram of(Protocol protocol) {
            return protocol.isHttp() ? WRK : OWN;
        }
    }

    public static final Needs ECHO = new Needs(Protocol.ECHO, SlowRequests.NONE);
    public static final Needs HTTP = new Needs(Protocol.HTTP, SlowRequests.NONE);

    /** HTTP, loaded by this project's generator, which tells the latencies of fast requests from those of all. */
    public static final Needs HTTP_BY_OWN_LOAD =
            new Needs(Protocol.HTTP, SlowRequests.NONE, LoadProgram.OWN, Net.LOOPBACK, false);

    public static final Needs ECHO_TLS = new Needs(Protocol.ECHO_TLS, SlowRequests.NONE);
    public static final Needs DATAGRAMS = new Needs(Protocol.DATAGRAMS, SlowRequests.NONE);
    public static final Needs DATAGRAM_SEGMENTS = new Needs(Protocol.DATAGRAM_SEGMENTS, SlowRequests.NONE);
    public static final Needs HTTPS = new Needs(Protocol.HTTPS, SlowRequests.NONE);

    /** Servers that are loaded by the usual program for the protocol, over loopback. */
    public Needs(Protocol protocol, SlowRequests slow) {
        this(protocol, slow, LoadProgram.of(protocol), Net.LOOPBACK, false);
    }

    /** Servers that this project's generator loads, and whose slowness changes from cell to cell. */
    static Needs changing(Protocol protocol) {
        return new Needs(protocol, SlowRequests.NONE, LoadProgram.OWN, Net.LOOPBACK, true);
    }

    /** The protocol's name in reports. */
    public String word() {
        return protocol.word();
    }

    /** Returns true if wrk, which starts anew for each interval, loads the servers instead of this program's own generator. */
    public boolean byWrk() {
        return program == LoadProgram.WRK;
    }

    Needs withSlow(SlowRequests requests) {
        return new Needs(protocol, requests, program, net, changing);
    }

    Needs over(Net other) {
        return new Needs(protocol, slow, program, other, changing);
    }

    /** {@code usual} settings of servers, but for what is needed. */
    public ServerSettings settings(ServerSettings usual) {
        ServerSettings settings = usual.withSlow(slow).withProtocol(protocol);
        return changing ? settings.withSlowSwitch() : settings;
    }

    /** Name of the group, for the report and the progress. */
    public String group() {
        String way = net == Net.LOOPBACK ? word() : word() + " over " + net.word();
        if (changing) {
            return way + ", slow requests of several kinds";
        }
        return slow.permille() == 0 ? way : way + ", " + slow.words();
    }
}
