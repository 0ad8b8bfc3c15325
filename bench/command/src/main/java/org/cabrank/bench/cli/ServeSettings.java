package org.cabrank.bench.cli;

import java.time.Duration;
import org.cabrank.affinity.SchedulingPolicy;
import org.cabrank.stream.AcceptRate;
import org.cabrank.stream.ListenOptions;

/**
 * Settings of {@code --set serve.NAME=VALUE}.
 *
 * @param sharedThreads number of threads that serve all shards together; 0 if each shard has its own threads
 * @param scheduling policy of the pool threads, such as {@code nice:5}; if empty, the policy of the process
 * @param strictPlacement if true, the server does not start without its placement, and ends when it loses the placement
 * @param reserveCpus directory of the CPU reservations of this host's services, or {@link #HOST}; if empty, reservations are ignored
 * @param connectionsPerPeerMax maximum number of open connections from one address; 0 for no limit
 * @param acceptRate maximum number of connections accepted per second; 0 for no limit
 * @param drainGrace time for which idle connections stay open after the signal to end
 */
public record ServeSettings(
        int sharedThreads,
        String scheduling,
        boolean strictPlacement,
        String reserveCpus,
        int connectionsPerPeerMax,
        int acceptRate,
        Duration drainGrace) {
    /** Value of {@code reserveCpus} for the directory that all services of this host use. */
    static final String HOST = "host";

    static final ServeSettings DEFAULT = new ServeSettings(0, "", false, "", 0, 0, Duration.ofMillis(500));

    public ServeSettings {
        require("sharedThreads", sharedThreads, Integer.MAX_VALUE);
        require("connectionsPerPeerMax", connectionsPerPeerMax, Integer.MAX_VALUE);
        require("acceptRate", acceptRate, AcceptRate.PER_SECOND_MAX);
    }

    private static void require(String name, int value, int most) {
        if (value < 0 || value > most) {
            throw new IllegalArgumentException(String.format("%s must be from 0 to %,d, but is %d", name, most, value));
        }
    }

    SchedulingPolicy policy() {
        return scheduling.isEmpty() ? null : SchedulingPolicy.parse(scheduling);
    }

    int perPeer() {
        return connectionsPerPeerMax == 0 ? ListenOptions.UNLIMITED : connectionsPerPeerMax;
    }

    AcceptRate rate() {
        return acceptRate == 0 ? AcceptRate.UNLIMITED : AcceptRate.perSecond(acceptRate);
    }
}
