package org.cabrank.bench.topology;

import java.util.ArrayList;
import java.util.List;
import org.cabrank.bench.topology.MachineTree.CachePart;
import org.cabrank.bench.topology.MachineTree.NodePart;
import org.cabrank.bench.topology.MachineTree.PackagePart;

/**
 * How many parts stand beside each other.
 *
 * @param cores in an L3 cache's box
 * @param caches in a node's
 * @param nodes in a package's
 * @param packages in the picture
 */
record Grid(int cores, int caches, int nodes, int packages) {
    private static final double WIDTH_MAX = 1_600;

    /** Of a picture on a screen. */
    private static final double WIDTH_TO_HEIGHT = 1.6;

    private static final int CORES_BESIDE_MAX = 40;
    private static final int BESIDE_MAX = 8;

    /**
     * The one that makes the smallest picture no wider than a screen, and of about its shape.
     *
     * @param widthMin what the page has anyway
     */
    static Grid of(MachineTree tree, Blocks blocks, double widthMin) {
        Grid best = null;
        double bestCost = Double.MAX_VALUE;
        for (Grid grid : candidates(tree)) {
            Block all = blocks.machine(tree, grid);
            double width = Math.max(all.width(), widthMin);
            double tooWide = Math.max(0, width - WIDTH_MAX);
            double shape = Math.abs(Math.log(width / all.height() / WIDTH_TO_HEIGHT));
            double cost = width * all.height() * (1 + 0.4 * shape) * (1 + tooWide);
            if (cost < bestCost) {
                bestCost = cost;
                best = grid;
            }
        }
        return best;
    }

    private static List<Grid> candidates(MachineTree tree) {
        List<PackagePart> packages = tree.packages();
        List<NodePart> nodes =
                packages.stream().flatMap(pkg -> pkg.nodes().stream()).toList();
        List<CachePart> caches =
                nodes.stream().flatMap(node -> node.caches().stream()).toList();
        int nodesMax =
                packages.stream().mapToInt(pkg -> pkg.nodes().size()).max().orElse(1);
        int cachesMax =
                nodes.stream().mapToInt(node -> node.caches().size()).max().orElse(1);
        int coresMax =
                caches.stream().mapToInt(cache -> cache.cores().size()).max().orElse(1);
        List<Grid> candidates = new ArrayList<>();
        for (int cores : counts(coresMax, CORES_BESIDE_MAX)) {
            for (int inNode : counts(cachesMax, BESIDE_MAX)) {
                for (int inPackage : counts(nodesMax, BESIDE_MAX)) {
                    for (int beside : counts(packages.size(), BESIDE_MAX)) {
                        candidates.add(new Grid(cores, inNode, inPackage, beside));
                    }
                }
            }
        }
        return candidates;
    }

    /** Those counts that fill their rows best: with one fewer there would be a row more. */
    private static List<Integer> counts(int parts, int most) {
        List<Integer> counts = new ArrayList<>();
        int rowsBefore = -1;
        for (int beside = 1; beside <= Math.min(parts, most); beside++) {
            int rows = (parts + beside - 1) / beside;
            if (rows != rowsBefore) {
                counts.add(beside);
            }
            rowsBefore = rows;
        }
        return counts;
    }
}
