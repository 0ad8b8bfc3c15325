package org.cabrank.affinity.placement;

import java.util.List;
import org.cabrank.affinity.CpuList;

/**
 * Where every shard and thread goes, before any of them has started.
 *
 * @param placement what was asked for, as {@link Placement#parse} takes it
 * @param summary what that means here, in words
 * @param shards by their number; at least one
 * @param warnings where the plan is not what was asked for, or will disappoint: each with its cause and what is done
 *     instead
 * @param compromised true if shards are elsewhere than asked for; false if the warnings, if any, are about shards that are
 *     placed as asked for
 */
public record PlacementPlan(
        String placement, String summary, List<ShardPlace> shards, List<String> warnings, boolean compromised) {
    public PlacementPlan {
        shards = List.copyOf(shards);
        warnings = List.copyOf(warnings);
    }

    /** How many threads each shard has. */
    public int threadsPerShard() {
        return shards.get(0).threads().size();
    }

    /** Every CPU that the plan uses; empty where nothing is pinned. */
    public CpuList cpus() {
        return CpuList.of(
                shards.stream().flatMapToInt(shard -> shard.cpus().cpus()).toArray());
    }

    /** The plan for people: a line that says what it is, one for each shard with the reason, one for each warning. */
    public String describe() {
        return describe(Integer.MAX_VALUE);
    }

    /**
     * The plan for people, with at most {@code shardLinesMax} lines for the shards: where there are more shards, those on the
     * same node share a line without the reasons, and where there are still more lines, the last one says how many shards
     * are left out.
     *
     * @param shardLinesMax at least 2
     */
    public String describe(int shardLinesMax) {
        StringBuilder text = new StringBuilder(summary).append('\n');
        ShardRows.lines(shards, Math.max(2, shardLinesMax))
                .forEach(line -> text.append(line).append('\n'));
        warnings.forEach(warning -> text.append("  warning: ").append(warning).append('\n'));
        return text.toString();
    }
}
