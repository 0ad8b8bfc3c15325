package org.cabrank.bench.report;

/**
 * One point of a scenario.
 *
 * @param id stable and readable, such as {@code ping-pong/64x64B}; unique in a report
 * @param label the part of it that tells the point among those of its scenario, such as {@code 64 × 64 B}
 * @param connections that send requests
 * @param sizeBytes of a request
 * @param depth requests on the way at once on each connection
 * @param ratePerSecond of all connections together; 0 where the next request is sent when an answer has come
 * @param rateShare of a capacity in this run that the rate is: the baseline's, or with {@code ownRates} each contender's; 0 where there is
 *     no rate
 * @param idleConnections that send nothing
 * @param slowPermille of 1,000 requests, how many block their server's thread
 * @param slowTimeNs for how long each of those does
 * @param protocol such as {@code echo} or {@code http}
 * @param group of cells whose servers are started in the same way and run together
 * @param ownRates true if the rate is a share of each contender's capacity in this cell; {@code ratePerSecond} is 0 then
 * @param slowWay way in which slow requests block; null: none is slow, or the file was written before there were several
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

    /**
     * Returns a copy without the rate. The rate depends on the capacity of a run's baseline; the rest is equal in every
     * run.
     */
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
