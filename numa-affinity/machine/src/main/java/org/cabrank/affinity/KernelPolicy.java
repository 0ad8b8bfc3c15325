package org.cabrank.affinity;

import org.cabrank.kernel.MemoryPolicies;

/**
 * A memory policy as get_mempolicy(2) returns it, including flags and modes that {@link MemoryPolicy} does not know, so
 * that it can be restored exactly.
 *
 * @param mode the mode with its flags
 */
record KernelPolicy(int mode, CpuList nodes) {
    private static final int FLAGS = MemoryPolicies.MPOL_F_STATIC_NODES
            | MemoryPolicies.MPOL_F_RELATIVE_NODES
            | MemoryPolicies.MPOL_F_NUMA_BALANCING;

    /** Before Linux 5.14, the local policy reads as one that prefers no node. */
    static KernelPolicy read(int mode, CpuList nodes) {
        boolean local = mode == MemoryPolicies.MPOL_PREFERRED && nodes.isEmpty();
        return new KernelPolicy(local ? MemoryPolicies.MPOL_LOCAL : mode, nodes);
    }

    @Override
    public String toString() {
        int kind = mode & ~FLAGS;
        String name = switch (kind) {
            case MemoryPolicies.MPOL_DEFAULT -> "default";
            case MemoryPolicies.MPOL_LOCAL -> "local";
            case MemoryPolicies.MPOL_PREFERRED, MemoryPolicies.MPOL_PREFERRED_MANY -> "preferred";
            case MemoryPolicies.MPOL_BIND -> "bind";
            case MemoryPolicies.MPOL_INTERLEAVE -> "interleave";
            default -> "policy " + kind;
        };
        return nodes.isEmpty() ? name : name + ":" + nodes;
    }
}
