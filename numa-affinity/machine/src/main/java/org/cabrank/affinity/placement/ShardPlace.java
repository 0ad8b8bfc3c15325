package org.cabrank.affinity.placement;

import java.util.List;
import org.cabrank.affinity.CpuList;

/**
 * CPUs and memory node of one shard.
 *
 * @param shard number from 0
 * @param cpus CPUs that the threads of the shard may run on. Empty if the shard is not pinned
 * @param threads the mask of each thread. The index is the number of the thread. A mask is empty if the thread is not pinned
 * @param node the memory node for the shard's buffers and rings. -1 if it is unknown or several nodes are equally good
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
