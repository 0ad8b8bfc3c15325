package org.cabrank.bench.report;

import java.util.List;
import java.util.Optional;

/**
 * The best that a server could do under the loads of a report, computed by queueing theory, and the machine's share in what is measured.
 *
 * @param servers number of requests that are handled at a time: k
 * @param requests number of requests that were simulated for each point
 * @param wakeUpMeanNs mean time in ns by which waits end late on the servers' CPUs; the computed times contain it
 * @param wakeUpP99Ns percentile 99 of that time in ns
 * @param points a point for each cell
 */
public record LoadCurve(int servers, int requests, long wakeUpMeanNs, long wakeUpP99Ns, List<Point> points) {

    public LoadCurve {
        points = List.copyOf(points);
    }

    /**
     * Computed times in a cell.
     *
     * @param cell id of the cell
     * @param oneLine M/G/k: all servers take from one line
     * @param lineForEach k × M/G/1: each server has a line to itself, in which a request is put at random
     */
    public record Point(String cell, Times oneLine, Times lineForEach) {}

    /**
     * Quantiles in µs of the times from a request's arrival to its end.
     *
     * @param p99Accuracy half of the width of the 95 % interval of {@code p99Us}, relative to it
     */
    public record Times(double p50Us, double p99Us, double p999Us, double p99Accuracy) {}

    /** The point of the cell with that id. */
    public Optional<Point> point(String cell) {
        return points.stream().filter(point -> point.cell().equals(cell)).findFirst();
    }
}
