package org.cabrank.bench.live;

import java.util.List;
import java.util.stream.Collectors;

/** Figures in one line, for where there is no terminal to draw on. */
final class PlainLine {
    private PlainLine() {}

    static String of(LiveFigures figures) {
        StringBuilder line = new StringBuilder("live ").append(LiveFormats.clock(figures.uptimeNs()));
        line.append(": ").append(LiveFormats.rate(figures.requestsPerS())).append(" requests/s");
        if (figures.latency().events() > 0) {
            for (Percentile percentile : Percentile.values()) {
                line.append(percentile == Percentile.P50 ? ", " : " ")
                        .append(percentile.label())
                        .append(' ')
                        .append(LiveFormats.time(figures.latency().percentileNs(percentile.percent())));
            }
        }
        line.append(", ").append(LiveFormats.count(figures.connections())).append(" connections, ");
        line.append(LiveFormats.rate(figures.promotions().perS())).append(" promotions/s, ");
        line.append(LiveFormats.rate(figures.takeovers().perS())).append(" takeovers/s, ");
        line.append(LiveFormats.count(figures.gapsOverLimit())).append(" gaps over the limit, ");
        line.append(LiveFormats.count(figures.failures())).append(" failures");
        if (figures.shards().size() > 1) {
            line.append(", most loaded shard ")
                    .append(Dashboard.ratio(figures.balance().detected().ratio()))
                    .append(" of the mean");
        }
        if (figures.isStarved()) {
            line.append(", too few CPUs");
        } else if (figures.pools().stream().anyMatch(pool -> pool.contention().contended())) {
            line.append(", contended");
        }
        return line.append(leaders(figures.threads())).toString();
    }

    private static String leaders(List<LiveFigures.OfThread> threads) {
        String leaders = threads.stream()
                .filter(thread -> thread.leads() && !thread.role().startsWith(Roles.OWN_LOOP))
                .map(thread -> thread.name() + " (" + thread.role() + ")")
                .collect(Collectors.joining(", "));
        return leaders.isEmpty() ? "" : "; " + leaders;
    }
}
