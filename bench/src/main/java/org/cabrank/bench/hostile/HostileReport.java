package org.cabrank.bench.hostile;

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
 */
public record HostileReport(
        int format,
        String startedAt,
        boolean complete,
        List<String> arguments,
        Map<String, String> versions,
        BenchReport.Machine machine,
        BenchReport.Jvm jvm,
        BenchReport.Cpus cpus,
        Settings settings,
        List<HostileRun> runs) {

    public static final int FORMAT = 1;

    /** The parameters; times in ns. */
    public record Settings(
            long durationNs, long rate, int connections, int directMemoryMiB, HostileSettings.Crowd crowd) {
        static Settings of(HostileSettings settings) {
            return new Settings(
                    settings.durationNs(),
                    settings.rate(),
                    HostileSettings.CONNECTIONS,
                    settings.directMemoryMiB(),
                    settings.crowd());
        }
    }
}
