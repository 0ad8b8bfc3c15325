package org.cabrank.bench.report;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Content of a bench's JSON file. {@code format} grows when the meaning of a field changes. {@code startedAt} is UTC, ISO 8601. {@code
 * control} is the name of the baseline's second run, or null if the baseline runs only once.
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
        List<ScenarioInfo> scenarios,
        List<ContenderInfo> contenders,
        Map<String, String> leftOut,
        List<String> notes,
        String baseline,
        String control,
        List<CellResult> cells,
        List<RunRecord> runs) {

    public static final int FORMAT = 6;

    /** {@code cpusOnline} is a CPU list, such as {@code 0-3,8}. */
    public record Machine(
            String kernelRelease, String architecture, String cpuModel, String cpusOnline, long memoryKb) {}

    /** @param flags flags of every contender's JVM and of the load generator's JVM */
    public record Jvm(String version, String vendor, String home, List<String> flags) {}

    /** CPU lists of the server and of the load generator, and the reason for this division. */
    public record Cpus(String server, String load, boolean shared, String explanation) {}

    /**
     * Settings that all cells share. {@code shards} 0 means one shard for each of the server's CPUs. {@code threadsPerShard} 0 means the
     * default of each contender. {@code placement} has the syntax of {@code --placement}.
     */
    public record Settings(
            int rounds,
            int slices,
            long warmupNs,
            long durationNs,
            int loadThreads,
            int shards,
            int threadsPerShard,
            String placement) {}

    /** @param tuning phrases that describe settings recommended by the contender's documentation */
    public record ContenderInfo(String name, ContenderKind kind, List<String> tuning, List<String> jvmFlags) {}

    public Optional<CellInfo> cellInfo(String id) {
        return scenarios.stream()
                .flatMap(scenario -> scenario.cells().stream())
                .filter(cell -> cell.id().equals(id))
                .findFirst();
    }

    public Optional<CellResult> cell(String id) {
        return cells.stream().filter(cell -> cell.cell().equals(id)).findFirst();
    }
}
