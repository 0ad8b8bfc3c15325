package org.cabrank.bench.scenario;

import org.cabrank.bench.contender.Protocol;
import org.cabrank.bench.contender.ServerSettings;
import org.cabrank.bench.handler.SlowRequests;
import org.cabrank.bench.text.Durations;

/**
 * Settings with which servers are started for a cell. Cells with equal needs form a group: the same processes serve them.
 *
 * @param slow simulated blocking of handlers
 */
public record Needs(Protocol protocol, SlowRequests slow) {

    public static final Needs ECHO = new Needs(Protocol.ECHO, SlowRequests.NONE);
    public static final Needs HTTP = new Needs(Protocol.HTTP, SlowRequests.NONE);
    public static final Needs ECHO_TLS = new Needs(Protocol.ECHO_TLS, SlowRequests.NONE);
    public static final Needs RESP = new Needs(Protocol.RESP, SlowRequests.NONE);
    public static final Needs HTTPS = new Needs(Protocol.HTTPS, SlowRequests.NONE);

    /** The protocol's name in reports. */
    public String word() {
        return protocol.word();
    }

    /** Returns true if wrk loads the servers instead of this program's own generator. */
    public boolean byWrk() {
        return protocol.isHttp();
    }

    /** Returns true if redis-benchmark loads the servers. */
    public boolean byRedisBenchmark() {
        return protocol == Protocol.RESP;
    }

    /** Returns true if a program loads the servers that starts anew for each interval. */
    public boolean byOtherProgram() {
        return byWrk() || byRedisBenchmark();
    }

    Needs withSlow(SlowRequests requests) {
        return new Needs(protocol, requests);
    }

    /** {@code usual} settings of servers, but for what is needed. */
    public ServerSettings settings(ServerSettings usual) {
        return usual.withSlow(slow).withProtocol(protocol);
    }

    /** Name of the group, for the report and the progress. */
    public String group() {
        return slow.permille() == 0
                ? word()
                : word() + ", " + slow.permille() + " ‰ slow for " + Durations.format(slow.timeNs());
    }
}
