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
 */
public record PlacementPlan(String placement, String summary, List<ShardPlace> shards, List<String> warnings) {
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
        int cpusWidth = width("CPU", shards.stream().map(PlacementPlan::cpusOf).toList());
        int nodeWidth = width("node", shards.stream().map(PlacementPlan::nodeOf).toList());
        int shardWidth = Integer.toString(shards.size() - 1).length();
        StringBuilder text = new StringBuilder(summary).append('\n');
        for (ShardPlace shard : shards) {
            String number = Integer.toString(shard.shard());
            text.append("  shard ")
                    .append(" ".repeat(shardWidth - number.length()))
                    .append(number);
            append(text, cpusOf(shard), cpusWidth);
            append(text, nodeOf(shard), nodeWidth);
            text.append("  ").append(shard.why()).append('\n');
        }
        warnings.forEach(warning -> text.append("  warning: ").append(warning).append('\n'));
        return text.toString();
    }

    private static int width(String least, List<String> cells) {
        return Math.max(
                least.length(), cells.stream().mapToInt(String::length).max().orElse(0));
    }

    private static void append(StringBuilder text, String cell, int width) {
        text.append("  ").append(cell).append(" ".repeat(width - cell.length()));
    }

    private static String cpusOf(ShardPlace shard) {
        return shard.pinned() ? "CPU " + shard.cpus() : "any CPU";
    }

    private static String nodeOf(ShardPlace shard) {
        return shard.node() < 0 ? "node ?" : "node " + shard.node();
    }
}
