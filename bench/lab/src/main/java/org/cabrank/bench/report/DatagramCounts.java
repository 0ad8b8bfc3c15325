package org.cabrank.bench.report;

import java.util.List;

/**
 * Datagrams of one or several measured intervals. {@code reordered} counts answers that arrived after the answer to a later datagram of the
 * same flow. {@code lost} includes {@code loadDrops}, which are answers dropped by the load generator's own sockets.
 */
public record DatagramCounts(long sent, long lost, long reordered, long duplicated, long loadDrops) {

    private static final double PERCENT = 100;

    static DatagramCounts sum(List<DatagramCounts> each) {
        return each.stream()
                .reduce((one, other) -> new DatagramCounts(
                        one.sent + other.sent,
                        one.lost + other.lost,
                        one.reordered + other.reordered,
                        one.duplicated + other.duplicated,
                        one.loadDrops + other.loadDrops))
                .orElse(null);
    }

    static Double losslessPercent(List<DatagramCounts> each) {
        long lossless = each.stream().filter(one -> one.lost == 0).count();
        return each.isEmpty() ? null : (Double) (PERCENT * lossless / each.size());
    }

    public double lostPercent() {
        return sent == 0 ? 0 : PERCENT * lost / sent;
    }
}
