package org.cabrank.bench.report;

/**
 * One point of a scenario.
 *
 * @param id stable and readable, such as {@code ping-pong/64x64B}; unique in a report
 * @param label the part of {@code id} that identifies the point in its scenario, such as {@code 64 × 64 B}
 * @param connections number of connections that send requests
 * @param sizeBytes size of a request
 * @param depth number of requests under way on each connection
 * @param ratePerSecond requests of all connections together; 0 in a closed loop, and with {@code ownRates}
 * @param rateShare share of a capacity in this run: the baseline's, or with {@code ownRates} each contender's; 0: no rate
 * @param slowPermille number of requests in 1,000 that block for {@code slowTimeNs}
 * @param group name of the group of cells whose servers are started in the same way and run together
 * @param slowWay way in which slow requests block; null: none is slow, or the file is of a version with one way
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

    /** Returns a copy without the rate, which depends on a run's measured capacity. All other fields are equal in every run. */
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
