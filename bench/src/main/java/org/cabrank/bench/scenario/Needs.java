package org.cabrank.bench.scenario;

import java.util.Locale;
import org.cabrank.bench.contender.Protocol;
import org.cabrank.bench.contender.ServerSettings;
import org.cabrank.bench.serve.SlowRequests;
import org.cabrank.bench.text.Durations;

/**
 * How servers are started for a cell. Cells with the same needs form a group: they are measured with the same processes.
 *
 * @param slow of 1,000 requests, how many block a server's thread, and for how long
 */
public record Needs(Protocol protocol, SlowRequests slow) {

    public static final Needs ECHO = new Needs(Protocol.ECHO, SlowRequests.NONE);
    public static final Needs HTTP = new Needs(Protocol.HTTP, SlowRequests.NONE);

    /** The protocol, in lower case. */
    public String word() {
        return protocol.name().toLowerCase(Locale.ROOT);
    }

    /** Whether wrk loads the servers, not this program's own generator. */
    public boolean byWrk() {
        return protocol == Protocol.HTTP;
    }

    Needs withSlow(SlowRequests requests) {
        return new Needs(protocol, requests);
    }

    /** {@code usual} settings of servers, but for what is needed. */
    public ServerSettings settings(ServerSettings usual) {
        return usual.withSlow(slow).withProtocol(protocol);
    }

    /** Of the group, for the report and the progress. */
    public String group() {
        return slow.permille() == 0
                ? word()
                : word() + ", " + slow.permille() + " ‰ slow for " + Durations.format(slow.timeNs());
    }
}
