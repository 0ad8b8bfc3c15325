package org.cabrank.bench.experiment;

import java.util.Comparator;
import java.util.Locale;
import org.cabrank.affinity.placement.Placement;
import org.cabrank.bench.contender.Contender;
import org.cabrank.bench.contender.Contenders;
import org.cabrank.bench.contender.ServerSettings;
import org.cabrank.bench.contender.ServerSettings.ShardSettings;
import org.cabrank.bench.handler.SlowRequests;
import org.cabrank.pinning.PlacementSettings;
import org.cabrank.stream.AcceptMode;

/**
 * A server's layout.
 *
 * @param backend epoll or iouring
 * @param shards handle sets
 * @param threads of each shard
 * @param accept the way in which shards share connections
 * @param placement of the threads within the server's CPUs, as {@code --placement} takes it
 */
public record ServerLayout(String backend, int shards, int threads, AcceptMode accept, String placement) {

    /** The placement of threads that run where the scheduler puts them. */
    public static final String UNPINNED = Placement.NONE.toString();

    /**
     * Configurations that need less come first: fewer threads; then fewer shards, so that connections cannot gather in one of
     * them; then
     * what is the default.
     */
    static final Comparator<ServerLayout> SIMPLEST_FIRST = Comparator.comparingInt(
                    (ServerLayout one) -> one.shards * one.threads)
            .thenComparingInt(ServerLayout::shards)
            .thenComparing(one -> !one.placement.equals(UNPINNED))
            .thenComparing(ServerLayout::accept)
            .thenComparing(ServerLayout::backend);

    public ServerLayout(String backend, Split split, AcceptMode accept, String placement) {
        this(backend, split.shards(), split.threads(), accept, placement);
    }

    Contender contender() {
        return Contenders.named("cabrank-" + backend + "-shards");
    }

    ServerSettings server(long workNs, SlowRequests slow, long maxGapNs) {
        return new ServerSettings(
                workNs,
                slow,
                threads,
                maxGapNs,
                new ShardSettings(shards, accept),
                PlacementSettings.of(Placement.parse(placement)));
    }

    String split() {
        return shards + "x" + threads;
    }

    String acceptWord() {
        return accept.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** {@code epoll 2x1 dispatch, none}. */
    @Override
    public String toString() {
        return backend + " " + split() + " " + acceptWord() + ", " + placement;
    }
}
