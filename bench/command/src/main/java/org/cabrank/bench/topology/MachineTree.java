package org.cabrank.bench.topology;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToIntFunction;
import org.cabrank.affinity.topology.Cpu;
import org.cabrank.affinity.topology.Topology;

/** The online CPUs as a tree. If an L3 cache spans two nodes, each node has a part for it, with the CPUs of that node. */
record MachineTree(List<PackagePart> packages) {
    /** In this and the following records, the id -1 means none or unknown. */
    record PackagePart(int id, List<NodePart> nodes) {}

    record NodePart(int id, List<CachePart> caches) {}

    record CachePart(int l3, List<CorePart> cores) {
        List<Cpu> cpus() {
            return cores.stream().flatMap(core -> core.cpus().stream()).toList();
        }
    }

    record CorePart(int id, List<Cpu> cpus) {}

    static MachineTree of(Topology topology) {
        List<Cpu> online = topology.cpus().stream().filter(Cpu::online).toList();
        List<PackagePart> packages = new ArrayList<>();
        grouped(online, Cpu::pkg).forEach((pkg, inPackage) -> {
            List<NodePart> nodes = new ArrayList<>();
            grouped(inPackage, Cpu::node).forEach((node, inNode) -> nodes.add(new NodePart(node, caches(inNode))));
            packages.add(new PackagePart(pkg, nodes));
        });
        return new MachineTree(packages);
    }

    private static List<CachePart> caches(List<Cpu> cpus) {
        List<CachePart> caches = new ArrayList<>();
        grouped(cpus, Cpu::l3).forEach((l3, inCache) -> {
            List<CorePart> cores = new ArrayList<>();
            grouped(inCache, Cpu::core).forEach((core, inCore) -> cores.add(new CorePart(core, inCore)));
            caches.add(new CachePart(l3, cores));
        });
        return caches;
    }

    /** Groups the CPUs by their domain, in ascending order. The unsigned comparison puts -1 (none or unknown) last. */
    private static Map<Integer, List<Cpu>> grouped(List<Cpu> cpus, ToIntFunction<Cpu> domain) {
        Map<Integer, List<Cpu>> groups = new TreeMap<>(Integer::compareUnsigned);
        for (Cpu cpu : cpus) {
            groups.computeIfAbsent(domain.applyAsInt(cpu), none -> new ArrayList<>())
                    .add(cpu);
        }
        return groups;
    }
}
