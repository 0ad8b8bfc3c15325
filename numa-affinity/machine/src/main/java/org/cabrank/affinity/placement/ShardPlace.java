package org.cabrank.affinity.placement;

import java.util.List;
import org.cabrank.affinity.CpuList;

/**
 * Where one shard goes.
 *
 * @param shard from 0
 * @param cpus those that its threads may run on; empty: not pinned
 * @param threads the mask of each of its threads, by its number; an empty one: not pinned
 * @param node the memory node for its buffers and rings; -1: unknown, or several would do
 * @param why these CPUs, in words
 */
public record ShardPlace(int shard, CpuList cpus, List<CpuList> threads, int node, String why) {
    public ShardPlace {
        threads = List.copyOf(threads);
    }

    /** Whether its threads are held to CPUs at all. */
    public boolean pinned() {
        return !cpus.isEmpty();
    }
}
