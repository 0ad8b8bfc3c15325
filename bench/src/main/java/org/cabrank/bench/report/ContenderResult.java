package org.cabrank.bench.report;

import java.util.List;
import java.util.Map;

/**
 * One contender in one cell.
 *
 * @param runs how many went well
 * @param failures how many did not
 * @param values of every metric that was measured
 * @param ratios of every metric, against the baseline in the same round and slice; empty for the baseline itself
 * @param latency of all runs together; null where no histogram was kept
 * @param idleBytesPerConnection of user-space memory, median; null where it was not measured
 * @param startMs from spawning the process to the first answer, median of its starts; NaN where no run went well
 * @param serverBusy how many CPUs the server kept busy, median
 * @param loadBusy the same of the load generator
 * @param compilerShare of its CPU time that its JVM's compiler took, median, 0 to 1
 * @param outlierRuns far from the others in the cell's headline
 * @param generatorLimited what the load generator said of being the bottleneck itself; null when it never did
 */
public record ContenderResult(
        String contender,
        int runs,
        int failures,
        Map<Metric, Spread> values,
        Map<Metric, Ratio> ratios,
        Percentiles latency,
        PerRequest perRequest,
        Double idleBytesPerConnection,
        double startMs,
        double serverBusy,
        double loadBusy,
        double compilerShare,
        List<OutlierRun> outlierRuns,
        String generatorLimited) {

    /** From here on it was measured while its code still got faster. */
    private static final double COMPILING = 0.05;

    /** Whether what was measured is not yet what a server is that has run for long. */
    public boolean compiling() {
        return compilerShare > COMPILING;
    }

    /** NaN where it was not measured. */
    public double median(Metric metric) {
        Spread spread = values.get(metric);
        return spread == null ? Double.NaN : spread.median();
    }
}
