package org.cabrank.affinity.placement;

import java.util.Comparator;
import java.util.List;
import org.cabrank.affinity.CpuList;
import org.cabrank.affinity.topology.Cpu;
import org.cabrank.affinity.topology.MemoryNode;
import org.cabrank.affinity.topology.Topology;

/**
 * Chooses the memory node for threads: the node of their CPUs, or the nearest node if this node has no memory or is not allowed. An empty
 * list {@code allowed} allows all nodes.
 */
record MemoryOfCpus(Topology topology, CpuList allowed) {
    /** Returns -1 if the CPUs are on several nodes or on an unknown node. */
    int nodeOf(List<Cpu> cpus) {
        int[] nodes = cpus.stream().mapToInt(Cpu::node).distinct().toArray();
        boolean known = nodes.length == 1 && nodes[0] >= 0 && cpus.stream().noneMatch(this::isOnSeveral);
        return known ? nearest(nodes[0]) : -1;
    }

    /** True if several nodes list the CPU. The memory of all these nodes is equally near to the CPU. */
    private boolean isOnSeveral(Cpu cpu) {
        return topology.nodes().stream()
                        .filter(node -> node.cpus().contains(cpu.id()))
                        .count()
                > 1;
    }

    /** True if the CPU's own node has memory that the process may use, or if the node is unknown. */
    boolean isLocal(Cpu cpu) {
        return cpu.node() < 0 || isOnSeveral(cpu) || nearest(cpu.node()) == cpu.node();
    }

    /** If the shard's memory is not on the node of its CPUs, returns text for the shard's description, otherwise "". */
    String remote(List<Cpu> cpus) {
        int memory = nodeOf(cpus);
        int own = cpus.isEmpty() ? -1 : cpus.get(0).node();
        if (memory < 0 || memory == own) {
            return "";
        }
        boolean none = topology.node(own).filter(MemoryNode::hasMemory).isEmpty();
        return "; memory is remote, on node " + memory + ": "
                + (none ? "node " + own + " has none" : "the cpuset leaves node " + own + " out");
    }

    private int nearest(int node) {
        return topology.nodes().stream()
                .filter(this::hasMemory)
                .min(Comparator.<MemoryNode>comparingInt(other -> topology.distance(node, other.id()))
                        .thenComparingInt(other -> other.id() == node ? 0 : 1)
                        // At equal distance, a node without CPUs has slower memory, such as CXL's.
                        .thenComparing(other -> other.cpus().isEmpty())
                        .thenComparingInt(MemoryNode::id))
                .map(MemoryNode::id)
                .orElse(-1);
    }

    private boolean hasMemory(MemoryNode node) {
        return node.hasMemory() && (allowed.isEmpty() || allowed.contains(node.id()));
    }
}
