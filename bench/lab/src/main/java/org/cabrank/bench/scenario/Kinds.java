package org.cabrank.bench.scenario;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.cabrank.bench.load.LoadTraffic;
import org.cabrank.bench.load.Pattern;
import org.cabrank.bench.load.RedisTest;

/** The kinds of traffic among cells: what code a server runs depends on pattern, depth and size. */
public final class Kinds {

    /** The code is the same for more of them, and they take long to connect. */
    private static final int CONNECTIONS_MOST = 64;

    private record Kind(Pattern pattern, int depth, int bytes, int reconnecting, RedisTest redis) {}

    private Kinds() {}

    /** One of each, in the order of the cells, with as many connections as the largest cell of it has, within reason. */
    public static List<LoadTraffic> of(List<Cell> cells) {
        Map<Kind, LoadTraffic> kinds = new LinkedHashMap<>();
        for (Cell cell : cells) {
            RedisTest redis = cell.traffic().redis() == null
                    ? null
                    : cell.traffic().redis().forWarmUp();
            LoadTraffic traffic = cell.traffic().withRedis(redis);
            kinds.merge(
                    new Kind(traffic.pattern(), traffic.depth(), traffic.sizeBytes(), traffic.reconnecting(), redis),
                    traffic.withIdle(0).withConnections(Math.min(traffic.connections(), CONNECTIONS_MOST)),
                    (one, other) -> one.connections() >= other.connections() ? one : other);
        }
        return List.copyOf(kinds.values());
    }
}
