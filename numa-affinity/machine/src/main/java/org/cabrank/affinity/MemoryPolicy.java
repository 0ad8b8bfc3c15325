package org.cabrank.affinity;

import java.util.Locale;
import java.util.Objects;
import org.cabrank.kernel.MemoryPolicies;

/**
 * From which memory nodes pages come (numa(7)), when they are touched for the first time.
 *
 * @param nodes by number, as a list of the same format as that of CPUs; empty for the kinds that name none
 */
public record MemoryPolicy(Kind kind, CpuList nodes) {

    /** Rule by which the kernel chooses the node of a new page. */
    public enum Kind {
        /** The node of the CPU that touches the page, unless a surrounding policy says otherwise. */
        DEFAULT(MemoryPolicies.MPOL_DEFAULT, false),
        /** The node of the CPU that touches the page. */
        LOCAL(MemoryPolicies.MPOL_LOCAL, false),
        /** One node as long as it has free memory, then the nearest. */
        PREFERRED(MemoryPolicies.MPOL_PREFERRED, true),
        /** Only these nodes. If they are full, the kernel kills the process instead of using other nodes. */
        BIND(MemoryPolicies.MPOL_BIND, true),
        /** These nodes in turn, page by page. */
        INTERLEAVE(MemoryPolicies.MPOL_INTERLEAVE, true);

        private final int mode;
        private final boolean namesNodes;

        Kind(int mode, boolean namesNodes) {
            this.mode = mode;
            this.namesNodes = namesNodes;
        }
    }

    /** @throws IllegalArgumentException when the kind and the nodes do not go together */
    public MemoryPolicy {
        Objects.requireNonNull(kind);
        if (kind.namesNodes == nodes.isEmpty() || kind == Kind.PREFERRED && nodes.size() > 1) {
            throw new IllegalArgumentException("the policy " + name(kind) + " does not go with nodes '" + nodes + "'");
        }
    }

    /** The policy of threads for which none was set. */
    public static MemoryPolicy standard() {
        return new MemoryPolicy(Kind.DEFAULT, CpuList.of());
    }

    public static MemoryPolicy local() {
        return new MemoryPolicy(Kind.LOCAL, CpuList.of());
    }

    public static MemoryPolicy preferred(int node) {
        return new MemoryPolicy(Kind.PREFERRED, CpuList.of(node));
    }

    public static MemoryPolicy bind(int... nodes) {
        return new MemoryPolicy(Kind.BIND, CpuList.of(nodes));
    }

    public static MemoryPolicy interleave(int... nodes) {
        return new MemoryPolicy(Kind.INTERLEAVE, CpuList.of(nodes));
    }

    KernelPolicy asTheKernelHasIt() {
        return new KernelPolicy(kind.mode, nodes);
    }

    private static String name(Kind kind) {
        return kind.name().toLowerCase(Locale.ROOT);
    }

    /** {@code default}, {@code local}, {@code preferred:0}, {@code bind:0-1}, {@code interleave:0-3}. */
    @Override
    public String toString() {
        return name(kind) + (nodes.isEmpty() ? "" : ":" + nodes);
    }
}
