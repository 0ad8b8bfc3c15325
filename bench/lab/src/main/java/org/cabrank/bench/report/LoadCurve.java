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

    /** Percentiles that are computed for each point. */
    public static final List<Double> PERCENTILES = List.of(50.0, 98.0, 99.0, 99.5, 99.9);

    /** Load at which tails are judged, as a share of the capacity. */
    private static final double JUDGED_LOAD = 0.8;

    private static final double TOLERANCE = 0.001;

    public LoadCurve {
        points = List.copyOf(points);
    }

    /**
     * Computed times in a cell.
     *
     * @param cell id of the cell
     * @param tailPercentile percentile by which the longest latencies of the cell are judged
     * @param sharedQueue M/G/k: all servers take from one queue
     * @param queuePerServer k × M/G/1: each server has a queue to itself, in which a request is put at random
     */
    public record Point(String cell, double tailPercentile, Times sharedQueue, Times queuePerServer) {

        /** @throws IllegalArgumentException if something is missing, as in a file of an earlier version */
        public Point {
            if (cell == null
                    || sharedQueue == null
                    || queuePerServer == null
                    || !PERCENTILES.contains(tailPercentile)) {
                throw new IllegalArgumentException(
                        "a computed point needs a cell, both queues, and a tail of " + PERCENTILES);
            }
        }
    }

    /**
     * Quantiles in µs of the times from a request's arrival to its end.
     *
     * @param tailAccuracy half of the width of the 95 % interval of the tail's percentile, relative to it
     */
    public record Times(double p50Us, double p98Us, double p99Us, double p995Us, double p999Us, double tailAccuracy) {

        /** @throws IllegalArgumentException if a time is missing, as in a file of an earlier version, or is less than one before */
        public Times {
            if (!(p50Us > 0 && p50Us <= p98Us && p98Us <= p99Us && p99Us <= p995Us && p995Us <= p999Us)) {
                throw new IllegalArgumentException("computed times are " + p50Us + ", " + p98Us + ", " + p99Us + ", "
                        + p995Us + " and " + p999Us + " us, expected times above 0 that do not fall");
            }
        }

        /**
         * Returns the time in µs at one of the percentiles.
         *
         * @throws IllegalArgumentException if {@code percentile} is none of 50, 98, 99, 99.5 and 99.9
         */
        public double atUs(double percentile) {
            if (!LoadCurve.PERCENTILES.contains(percentile)) {
                throw new IllegalArgumentException(
                        "percentile " + percentile + " is not computed: expected one of " + LoadCurve.PERCENTILES);
            }
            return new double[] {p50Us, p98Us, p99Us, p995Us, p999Us}[LoadCurve.PERCENTILES.indexOf(percentile)];
        }
    }

    /** Returns true if {@code load}, as a share of the capacity, is the one at which tails are judged. */
    public static boolean judged(double load) {
        return Math.abs(load - JUDGED_LOAD) < TOLERANCE;
    }

    /** The point of the cell with that id. */
    public Optional<Point> point(String cell) {
        return points.stream().filter(point -> point.cell().equals(cell)).findFirst();
    }
}
