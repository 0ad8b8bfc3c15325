package org.cabrank.bench.shards;

import java.util.List;
import java.util.Map;
import org.cabrank.bench.report.BenchReport;

/**
 * Everything that is needed to judge the experiment, as it is written to the JSON file.
 *
 * @param format grows when the meaning of a field changes
 * @param startedAt UTC, ISO 8601
 * @param complete false when the user ended it before all runs
 * @param arguments the command line
 * @param leftOut backends that cannot run on this machine, and why
 * @param rule how one is found better than another, in words
 * @param recommendations one for each backend, and one for all together where there are several
 */
public record ShardsReport(
        int format,
        String startedAt,
        boolean complete,
        List<String> arguments,
        Map<String, String> versions,
        BenchReport.Machine machine,
        BenchReport.Jvm jvm,
        BenchReport.Cpus cpus,
        Settings settings,
        Map<String, String> leftOut,
        String rule,
        List<ArrangementSummary> summary,
        List<Recommendation> recommendations,
        List<ShardsRun> runs) {

    public static final int FORMAT = 1;

    /** What was run; times in ns. */
    public record Settings(
            int rounds,
            long warmupNs,
            long durationNs,
            int connections,
            int sizeBytes,
            int loadThreads,
            long workNs,
            int slowPermille,
            long slowTimeNs,
            long maxGapNs) {}
}
