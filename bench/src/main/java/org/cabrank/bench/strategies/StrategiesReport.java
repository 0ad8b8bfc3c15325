package org.cabrank.bench.strategies;

import java.util.List;
import java.util.Map;
import org.cabrank.bench.report.BenchReport;

/**
 * Everything that is needed to judge the experiment, as it is written to the JSON file.
 *
 * @param format grows when the meaning of a field changes
 * @param startedAt UTC, ISO 8601
 * @param complete false when it was ended before all runs, by the user or by its time limit
 * @param arguments the command line
 * @param rule how winners are found, in words
 */
public record StrategiesReport(
        int format,
        String startedAt,
        boolean complete,
        List<String> arguments,
        Map<String, String> versions,
        BenchReport.Machine machine,
        BenchReport.Jvm jvm,
        BenchReport.Cpus cpus,
        Settings settings,
        Map<Strategy, BenchReport.ContenderInfo> strategies,
        String rule,
        List<CellSummary> summary,
        List<StrategyRun> runs) {

    public static final int FORMAT = 2;

    /** What was run; times in ns. */
    public record Settings(
            List<Integer> threads,
            List<Long> workNs,
            int rounds,
            long warmupNs,
            long durationNs,
            int connections,
            int sizeBytes,
            int loadThreads,
            int slowPermille,
            long slowTimeNs,
            long maxGapNs) {}
}
