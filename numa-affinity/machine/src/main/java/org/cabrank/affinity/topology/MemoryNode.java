package org.cabrank.affinity.topology;

import java.util.List;
import java.util.Objects;
import org.cabrank.affinity.CpuList;

/**
 * CPUs and the memory that is nearest to them.
 *
 * @param id the kernel's number; the numbers of a machine's nodes may have gaps
 * @param cpus online CPUs; none on a node that is memory only, such as CXL's
 * @param totalBytes size of the memory; 0: a node without memory; -1: unknown
 * @param freeBytes free memory at the time of reading; -1: unknown
 * @param distances distances to each node of {@link Topology#nodes}, in that order: 10 is local, 20 twice as slow (ACPI's SLIT)
 */
public record MemoryNode(int id, CpuList cpus, long totalBytes, long freeBytes, List<Integer> distances) {
    public MemoryNode {
        Objects.requireNonNull(cpus);
        distances = List.copyOf(distances);
    }

    /** Returns true if the node has memory, or its size is unknown. */
    public boolean hasMemory() {
        return totalBytes != 0;
    }
}
