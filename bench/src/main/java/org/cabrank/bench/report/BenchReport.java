package org.cabrank.bench.report;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Everything that is needed to judge a bench, as it is written to the JSON file.
 *
 * @param format grows when the meaning of a field changes
 * @param startedAt UTC, ISO 8601
 * @param complete false when the bench was ended early
 * @param arguments the command line of the bench
 * @param leftOut the contenders and scenarios that cannot run on this machine, and why; they have no runs
 * @param versions of Cabrank, Netty and the contenders' kernel binding, and of wrk where it was the load
 * @param notes what to know when reading it, a sentence each
 * @param baseline whom the others are measured against
 * @param control the name of the baseline's second run; null without one
 * @param cells that have at least one run
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
        List<Target> targets,
        List<RunRecord> runs) {

    public static final int FORMAT = 5;

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
     * What was run; times in ns. Connections, sizes and rates are those of the cells.
     *
     * @param slices measured intervals of each contender in each cell and round
     * @param warmupNs load before each measured interval
     * @param loadThreads of the generator, at most
     * @param shards or event loops of the contenders that can have several; 0: one for each of the server's CPUs
     * @param threadsPerShard 0: each contender's own default, which its {@code details} tell
     * @param placement of Cabrank's threads within the server's CPUs, as {@code --placement} takes it
     */
    public record Settings(
            int rounds,
            int slices,
            long warmupNs,
            long durationNs,
            int loadThreads,
            int shards,
            int threadsPerShard,
            long maxGapNs,
            String placement) {}

    /**
     * @param tuning what was set as the contender's own documentation advises, a phrase each
     * @param jvmFlags those that this contender got on top
     */
    public record ContenderInfo(String name, ContenderKind kind, List<String> tuning, List<String> jvmFlags) {

        /** Of Cabrank or another Java server, which its name tells. */
        public ContenderInfo(String name, List<String> tuning, List<String> jvmFlags) {
            this(name, name.startsWith("cabrank-") ? ContenderKind.CABRANK : ContenderKind.JAVA, tuning, jvmFlags);
        }
    }

    /** The cell of that id. */
    public Optional<CellInfo> cellInfo(String id) {
        return scenarios.stream()
                .flatMap(scenario -> scenario.cells().stream())
                .filter(cell -> cell.id().equals(id))
                .findFirst();
    }

    /** What the cell of that id came to; empty when it has no run. */
    public Optional<CellResult> cell(String id) {
        return cells.stream().filter(cell -> cell.cell().equals(id)).findFirst();
    }
}
