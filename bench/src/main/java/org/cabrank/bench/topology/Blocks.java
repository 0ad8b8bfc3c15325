package org.cabrank.bench.topology;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.cabrank.affinity.topology.MemoryNode;
import org.cabrank.affinity.topology.NetworkInterface;
import org.cabrank.affinity.topology.Topology;
import org.cabrank.bench.topology.MachineTree.CachePart;
import org.cabrank.bench.topology.MachineTree.CorePart;
import org.cabrank.bench.topology.MachineTree.NodePart;
import org.cabrank.bench.topology.MachineTree.PackagePart;

/** Makes boxes of a machine's parts. */
final class Blocks {
    private final Topology topology;
    private final Marks marks;
    private final List<NetworkInterface> devices;

    Blocks(Topology topology, Marks marks) {
        this.topology = topology;
        this.marks = marks;
        this.devices = Words.devices(topology);
    }

    Block machine(MachineTree tree, Grid grid) {
        List<Block> packages = new ArrayList<>();
        for (PackagePart pkg : tree.packages()) {
            packages.add(BoxBlock.of(Look.PACKAGE, named("package", pkg.id()), -1, nodes(pkg, grid), grid.nodes()));
        }
        return BoxBlock.of(Look.MACHINE, "", -1, packages, grid.packages());
    }

    private List<Block> nodes(PackagePart pkg, Grid grid) {
        List<Block> nodes = new ArrayList<>();
        for (NodePart node : pkg.nodes()) {
            nodes.add(BoxBlock.of(Look.NODE, label(node.id()), filled(node.id()), caches(node, grid), grid.caches()));
        }
        return nodes;
    }

    private List<Block> caches(NodePart node, Grid grid) {
        return node.caches().stream().map(cache -> cache(cache, grid.cores())).toList();
    }

    private Block cache(CachePart cache, int beside) {
        List<Block> cores = new ArrayList<>();
        cache.cores().forEach(core -> cores.add(core(core)));
        return BoxBlock.of(
                topology.smt() ? Look.CACHE_OF_CORES : Look.CACHE,
                cache.l3() < 0 ? "no L3 shown" : "L3 " + cache.l3(),
                -1,
                cores,
                beside);
    }

    private Block core(CorePart core) {
        List<Block> cells = new ArrayList<>();
        core.cpus().forEach(cpu -> cells.add(new CellBlock(cpu, marks)));
        return topology.smt() ? BoxBlock.of(Look.CORE, "", -1, cells, 1) : cells.get(0);
    }

    /** The nodes that have memory only, in a row. */
    Optional<Block> memoryOnly() {
        List<Block> nodes = new ArrayList<>();
        for (MemoryNode node : Words.memoryOnly(topology)) {
            nodes.add(BoxBlock.of(Look.NODE, label(node.id()), filled(node.id()), List.of(), 1));
        }
        return nodes.isEmpty()
                ? Optional.empty()
                : Optional.of(BoxBlock.of(Look.PACKAGE, "memory without CPUs (such as CXL)", -1, nodes, 4));
    }

    private static String named(String noun, int id) {
        return id < 0 ? noun + " unknown" : noun + " " + id;
    }

    private String label(int node) {
        StringBuilder label = new StringBuilder(named("node", node));
        topology.node(node).ifPresent(there -> label.append(" · ").append(Words.memory(there)));
        for (NetworkInterface nic : devices) {
            if (nic.node() == node && node >= 0) {
                label.append(" · ").append(nic.name());
            }
        }
        return label.toString();
    }

    /** Share of a node's memory that is in use, 0 to 1; negative: unknown. */
    private double filled(int node) {
        return topology.node(node)
                .filter(there -> there.totalBytes() > 0 && there.freeBytes() >= 0)
                .map(there -> 1 - (double) there.freeBytes() / there.totalBytes())
                .orElse(-1.0);
    }
}
