package org.cabrank.bench.scenario;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.cabrank.bench.handler.BlockingWay;
import org.cabrank.bench.handler.SlowRequests;
import org.cabrank.bench.load.LoadTraffic;
import org.cabrank.bench.load.Pattern;

/** Finds the different kinds of traffic in a list of cells. The warm-up needs each kind, because each makes a server run different code. */
public final class Kinds {

    /** Maximum number of connections of a kind. More connections would run the same code, but take longer to connect. */
    private static final int CONNECTIONS_MOST = 64;

    private record Key(Pattern pattern, int depth, int bytes, int reconnecting, BlockingWay way, boolean slow) {}

    /** @param slow slowness to which the servers change. If null, the servers do not change. */
    public record Kind(LoadTraffic traffic, SlowRequests slow) {

        Kind larger(Kind other) {
            return new Kind(
                    traffic.connections() >= other.traffic.connections() ? traffic : other.traffic,
                    slow == null || slow.permille() >= other.slow.permille() ? slow : other.slow);
        }
    }

    private Kinds() {}

    /**
     * Returns each kind once, with as many connections as its largest cell, up to a limit. If a cell changes the slowness of its servers,
     * a kind without slow requests comes first. So the servers also compile the code for fast requests.
     */
    public static List<Kind> of(List<Cell> cells) {
        Map<Key, Kind> kinds = new LinkedHashMap<>();
        for (Cell cell : cells) {
            LoadTraffic traffic = cell.traffic();
            LoadTraffic least = traffic.withIdle(0).withConnections(Math.min(traffic.connections(), CONNECTIONS_MOST));
            for (SlowRequests slow : slow(cell)) {
                kinds.merge(
                        new Key(
                                traffic.pattern(),
                                traffic.depth(),
                                traffic.sizeBytes(),
                                traffic.reconnecting(),
                                slow == null ? null : slow.way(),
                                slow != null && slow.permille() > 0),
                        new Kind(least, slow),
                        Kind::larger);
            }
        }
        return List.copyOf(kinds.values());
    }

    private static List<SlowRequests> slow(Cell cell) {
        return Stream.of(cell.ownSlow() == null ? null : SlowRequests.NONE, cell.ownSlow())
                .distinct()
                .toList();
    }
}
