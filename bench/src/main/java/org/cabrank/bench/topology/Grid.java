package org.cabrank.bench.topology;

import java.util.List;
import org.cabrank.bench.topology.MachineTree.NodePart;
import org.cabrank.bench.topology.MachineTree.PackagePart;

/**
 * Numbers of parts that stand beside each other.
 *
 * @param cores in an L3 cache's box
 * @param caches in a node's
 * @param nodes in a package's
 * @param packages in the picture
 */
record Grid(int cores, int caches, int nodes, int packages) {
    /** About as many fit into the width of a screen. */
    private static final int CORES_BESIDE_MAX = 24;

    private static final int CORES_BESIDE_MIN = 2;
    private static final int CACHES_BESIDE_MAX = 4;

    /** Their labels are long. */
    private static final int NODES_BESIDE_MAX = 2;

    /** Returns a grid whose picture is hardly wider than a screen, with full rows. */
    static Grid of(MachineTree tree) {
        int packages = beside(tree.packages().size(), NODES_BESIDE_MAX);
        List<NodePart> allNodes =
                tree.packages().stream().flatMap(pkg -> pkg.nodes().stream()).toList();
        int nodes =
                beside(largest(tree.packages().stream().map(PackagePart::nodes).toList()), NODES_BESIDE_MAX / packages);
        int caches = beside(
                largest(allNodes.stream().map(NodePart::caches).toList()),
                Math.max(1, CACHES_BESIDE_MAX / (packages * nodes)));
        int cores = largest(allNodes.stream()
                .flatMap(node -> node.caches().stream())
                .map(cache -> cache.cores())
                .toList());
        int room = Math.max(CORES_BESIDE_MIN, CORES_BESIDE_MAX / (packages * nodes * caches));
        return new Grid(beside(cores, room), caches, nodes, packages);
    }

    private static int largest(List<? extends List<?>> parts) {
        return parts.stream().mapToInt(List::size).max().orElse(1);
    }

    /** Returns the least number of parts in a row that needs no more rows than {@code most} in each would. */
    private static int beside(int parts, int most) {
        int rows = Math.max(1, (parts + most - 1) / most);
        return Math.max(1, (parts + rows - 1) / rows);
    }
}
