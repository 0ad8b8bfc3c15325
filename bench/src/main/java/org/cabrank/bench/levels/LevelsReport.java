package org.cabrank.bench.levels;

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
 * @param leftOut arrangements that this machine does not permit, and why
 */
public record LevelsReport(
        int format,
        String startedAt,
        boolean complete,
        List<String> arguments,
        Map<String, String> versions,
        BenchReport.Machine machine,
        BenchReport.Jvm jvm,
        BenchReport.Cpus cpus,
        Settings settings,
        Map<Arrangement, String> leftOut,
        List<LevelsRun> runs) {

    public static final int FORMAT = 1;

    /** What was run; times in ns. */
    public record Settings(
            int rounds,
            long warmupNs,
            long durationNs,
            int threads,
            long workNs,
            long urgentRate,
            int urgentConnections,
            int bulkConnections,
            int sizeBytes) {

        static Settings of(LevelsSettings settings) {
            return new Settings(
                    settings.rounds(),
                    settings.warmupNs(),
                    settings.durationNs(),
                    settings.threads(),
                    settings.workNs(),
                    settings.urgentRate(),
                    LevelsSettings.URGENT_CONNECTIONS,
                    settings.bulkConnections(),
                    LevelsSettings.SIZE_BYTES);
        }
    }
}
