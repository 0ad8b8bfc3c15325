package org.cabrank.bench.model;

import java.util.List;

/**
 * What was simulated, as it is written to the JSON file.
 *
 * @param format grows when the meaning of a field changes
 * @param arguments the command line
 * @param costs in ns, as {@link Costs} has them
 * @param sources where the costs come from, in words
 * @param checks against what was measured; empty where nothing was given to compare with
 * @param points in the table's order
 */
public record ModelReport(
        int format,
        List<String> arguments,
        ModelSettings settings,
        Costs costs,
        List<String> sources,
        List<Check> checks,
        List<Point> points) {

    public static final int FORMAT = 1;

    /** A layout on a machine. With one thread for each shard nobody is promoted, and both outcomes are the same. */
    public record Point(int cores, int shards, int threads, Outcome eager, Outcome deferred) {}

    /**
     * The model against a measurement on the machine where it was made.
     *
     * @param fitted whether the model's cost of a request was taken from this very measurement: then it proves nothing
     */
    public record Check(
            String backend,
            int shards,
            int threads,
            double measuredPerSecond,
            double modelPerSecond,
            double measuredP99Us,
            double modelP99Us,
            boolean fitted) {}
}
