package org.cabrank.bench.report;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * All data that is needed to judge a bench, as written to the JSON file.
 *
 * @param format grows when the meaning of a field changes
 * @param startedAt UTC, ISO 8601
 * @param complete false if the bench was ended early
 * @param leftOut contenders and scenarios that cannot run on this machine, with the reason; they have no runs
 * @param versions versions of Cabrank, Netty and the contenders' kernel binding
 * @param notes advice for reading the report, a sentence each
 * @param control name of the baseline's second run; null without one
 * @param cells results of the cells that have at least one run
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

    /** {@code kernelRelease}: as {@code uname -r} prints it. {@code cpusOnline}: a CPU list. */
    public record Machine(
            String kernelRelease, String architecture, String cpuModel, String cpusOnline, long memoryKb) {}

    /** @param flags flags that every contender and the load generator have */
    public record Jvm(String version, String vendor, String home, List<String> flags) {}

    /** @param explanation description of the pinning of processes */
    public record Cpus(String server, String load, boolean shared, String explanation) {}

    /**
     * Settings of all cells; each cell adds its connections, sizes and rates.
     *
     * @param slices number of measured intervals of each contender in each cell and round
     * @param warmupNs load time before each measured interval
     * @param loadThreads maximum number of threads of the generator
     * @param shards number of shards of the contenders that can have several; 0: one for each of the server's CPUs
     * @param threadsPerShard number of threads; 0: each contender's own default, which its {@code details} state
     * @param placement placement of Cabrank's threads within the server's CPUs, in the syntax of {@code --placement}
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

    /** @param tuning settings that follow the contender's own documentation, a phrase each */
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
