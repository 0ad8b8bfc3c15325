package org.cabrank.affinity.topology;

import java.util.List;
import java.util.Objects;
import org.cabrank.affinity.CpuList;

/**
 * CPUs and the memory that is nearest to them.
 *
 * @param id the kernel's number. The numbers of a machine's nodes may have gaps
 * @param cpus online CPUs. Empty for a node that has only memory, such as CXL's
 * @param totalBytes size of the memory. 0 if the node has no memory, -1 if the size is unknown
 * @param freeBytes free memory at the time of reading, or -1 if it is unknown
 * @param distances distances to the nodes of {@link Topology#nodes}, in the order of this list. Distance 10 is local, and memory at
 *     distance 20 is twice as slow (ACPI's SLIT)
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
