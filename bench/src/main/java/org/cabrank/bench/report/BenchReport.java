package org.cabrank.bench.report;

import java.util.List;
import java.util.Map;

/**
 * Everything that is needed to judge a bench, as it is written to the JSON file.
 *
 * @param format grows when the meaning of a field changes
 * @param startedAt UTC, ISO 8601
 * @param complete false when the bench was ended early
 * @param arguments the command line of the bench
 * @param leftOut the contenders that cannot run on this machine, and why; they have no runs
 * @param versions of Cabrank, Netty and the contenders' kernel binding
 */
public record BenchReport(
        int format,
        String startedAt,
        boolean complete,
        List<String> arguments,
        Map<String, String> versions,
        Machine machine,
        Jvm jvm,
        Cpus cpus,
        Settings settings,
        List<ContenderInfo> contenders,
        Map<String, String> leftOut,
        String baseline,
        List<ContenderSummary> summary,
        List<RunRecord> runs) {

    public static final int FORMAT = 2;

    /**
     * @param kernelRelease as {@code uname -r} prints it
     * @param cpusOnline a CPU list
     */
    public record Machine(
            String kernelRelease, String architecture, String cpuModel, String cpusOnline, long memoryKb) {}

    /** @param flags those that every contender and the load generator were started with */
    public record Jvm(String version, String vendor, String home, List<String> flags) {}

    /** @param explanation what was pinned where, and how, in words */
    public record Cpus(String server, String load, boolean shared, String explanation) {}

    /**
     * What was run; times in ns.
     *
     * @param threadsPerShard 0: each contender's own default, which its {@code details} tell
     */
    public record Settings(
            int rounds,
            long warmupNs,
            long durationNs,
            int connections,
            int sizeBytes,
            int loadThreads,
            int slowPermille,
            long slowTimeNs,
            int threadsPerShard,
            long maxGapNs) {}

    /** @param jvmFlags those that this contender got on top */
    public record ContenderInfo(String name, List<String> tuning, List<String> jvmFlags) {}
}
