package org.cabrank.bench.report;

/**
 * One point of a scenario.
 *
 * @param id unique in a report, such as {@code ping-pong/64x64B}
 * @param label the part of {@code id} that identifies the point in its scenario, such as {@code 64 × 64 B}
 * @param depth maximum number of unanswered requests on each connection
 * @param ratePerSecond requests per second of all connections together. 0 in a closed loop, and if {@code ownRates} is true.
 * @param rateShare share of the baseline's capacity, or of each contender's own capacity if {@code ownRates} is true. 0 in a closed loop.
 * @param group name of a group of cells that use the same server processes
 * @param slowWay way in which slow requests block. Null if no request is slow, and in files of older versions.
 */
public record CellInfo(
        String id,
        String label,
        int connections,
        int sizeBytes,
        int depth,
        double ratePerSecond,
        double rateShare,
        int idleConnections,
        int slowPermille,
        long slowTimeNs,
        String protocol,
        String group,
        boolean ownRates,
        String slowWay) {

    /** Returns a copy without the rate, which each bench measures itself. The other fields are equal in every bench. */
    public CellInfo withoutRate() {
        return new CellInfo(
                id,
                label,
                connections,
                sizeBytes,
                depth,
                0,
                rateShare,
                idleConnections,
                slowPermille,
                slowTimeNs,
                protocol,
                group,
                ownRates,
                slowWay);
    }
}
