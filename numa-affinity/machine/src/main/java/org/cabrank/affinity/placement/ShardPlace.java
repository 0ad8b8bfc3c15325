package org.cabrank.affinity.placement;

import java.util.List;
import org.cabrank.affinity.CpuList;

/**
 * CPUs and memory node of one shard.
 *
 * @param shard number from 0
 * @param cpus the CPUs that its threads may run on; empty: not pinned
 * @param threads the mask of each thread, by its number; an empty mask: not pinned
 * @param node the memory node for its buffers and rings; -1: unknown, or several are equally good
 * @param why the reason for this choice of CPUs
 */
public record ShardPlace(int shard, CpuList cpus, List<CpuList> threads, int node, String why) {
    public ShardPlace {
        threads = List.copyOf(threads);
    }

    public boolean pinned() {
        return !cpus.isEmpty();
    }
}
