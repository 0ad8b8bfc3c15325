package org.cabrank.affinity.placement;

import java.util.List;
import org.cabrank.affinity.CpuList;

/**
 * The CPUs and memory nodes of all shards and threads, planned before any thread has started.
 *
 * @param placement the requested placement, in the syntax of {@link Placement#parse}
 * @param summary a description of the outcome on this machine
 * @param shards shards by their number; at least one
 * @param warnings differences from the request and foreseeable disadvantages, each with its cause and consequence
 * @param compromised true if a shard is not where the request wants it. False if shards are as requested, even if there are warnings
 */
public record PlacementPlan(
        String placement, String summary, List<ShardPlace> shards, List<String> warnings, boolean compromised) {
    public PlacementPlan {
        shards = List.copyOf(shards);
        warnings = List.copyOf(warnings);
    }

    public int threadsPerShard() {
        return shards.get(0).threads().size();
    }

    /** All CPUs that the plan uses. Empty if nothing is pinned. */
    public CpuList cpus() {
        return cpus(shards);
    }

    static CpuList cpus(List<ShardPlace> shards) {
        return CpuList.of(
                shards.stream().flatMapToInt(shard -> shard.cpus().cpus()).toArray());
    }

    /** The plan for people: a summary line, a line for each shard with the reason, a line for each warning. */
    public String describe() {
        return describe(Integer.MAX_VALUE);
    }

    /**
     * The plan for people, with at most {@code shardLinesMax} lines (2 or more) for shards. If there are more shards, those with the same
     * node and number of CPUs share a line without reasons. The last line may have the number of shards that are not shown.
     */
    public String describe(int shardLinesMax) {
        StringBuilder text = new StringBuilder(summary).append('\n');
        ShardRows.lines(shards, Math.max(2, shardLinesMax))
                .forEach(line -> text.append(line).append('\n'));
        warnings.forEach(warning -> text.append("  warning: ").append(warning).append('\n'));
        return text.toString();
    }
}
