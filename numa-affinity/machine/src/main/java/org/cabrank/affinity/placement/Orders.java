package org.cabrank.affinity.placement;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToIntFunction;
import org.cabrank.affinity.topology.Cpu;
import org.cabrank.affinity.topology.Topology;

/** Orders in which placements use the CPUs of a machine. */
final class Orders {
    private Orders() {}

    /**
     * Node by node, the nearest first, in each L3 domain by L3 domain, those with the fastest cores first; in each the cores and then
     * their further hardware threads. Nodes without memory for this process come last. CPUs without an L3 cache, such as the slowest cores
     * of laptops and phones, are a domain of their own. Where each core has its own L3 cache (POWER7), a node is one domain.
     */
    static List<Cpu> packed(Planning planning) {
        List<Cpu> cpus = planning.usable();
        boolean sharedCaches =
                planning.topology().l3Domains().stream().anyMatch(domain -> Cpus.cores(planning.online(domain)) > 1);
        ToIntFunction<Cpu> l3 = cpu -> sharedCaches ? cpu.l3() : -1;
        Map<List<Integer>, Integer> fastest = new HashMap<>();
        cpus.forEach(cpu -> fastest.merge(domain(cpu, l3), cpu.kind().ordinal(), Math::min));
        Map<Integer, Integer> nodes = nodes(planning.topology(), planning.withLocalMemory(cpus), 1);
        nodes(planning.topology(), cpus, 1)
                .forEach((node, position) -> nodes.putIfAbsent(node, cpus.size() + position));
        // Stable: within a domain fast cores stand before slow ones, and slow ones before the siblings of fast ones.
        return Cpus.coresFirst(cpus).stream()
                .sorted(Comparator.<Cpu>comparingInt(cpu -> fastest.get(domain(cpu, l3)))
                        .thenComparingInt(cpu -> nodes.get(cpu.node()))
                        .thenComparingInt(Cpu::pkg)
                        .thenComparingInt(cpu -> Cpus.knownFirst(l3.applyAsInt(cpu))))
                .toList();
    }

    private static List<Integer> domain(Cpu cpu, ToIntFunction<Cpu> l3) {
        return List.of(cpu.pkg(), cpu.node(), l3.applyAsInt(cpu));
    }

    /**
     * Each CPU as far from those before it as the nodes, packages, L3 domains and clusters allow, fast cores first; further
     * hardware threads at the end.
     */
    static List<Cpu> spread(Planning planning) {
        List<Cpu> cpus = planning.usable();
        Map<Integer, Integer> nodes = nodes(planning.topology(), cpus, -1);
        List<ToIntFunction<Cpu>> levels =
                List.of(cpu -> nodes.get(cpu.node()), Cpu::pkg, cpu -> Cpus.knownFirst(cpu.l3()), Cpus::cluster);
        Map<Cpu, Integer> ranks = Cpus.ranks(cpus, Cpus.BY_PLACE);
        List<Cpu> order = new ArrayList<>();
        for (List<Cpu> rank : Cpus.grouped(Cpus.coresFirst(cpus), ranks::get).values()) {
            for (List<Cpu> kind :
                    Cpus.grouped(rank, cpu -> cpu.kind().ordinal()).values()) {
                order.addAll(alternating(kind, levels));
            }
        }
        return order;
    }

    /** One CPU of each group of the first level in turn, each group ordered by the further levels. */
    private static List<Cpu> alternating(List<Cpu> cpus, List<ToIntFunction<Cpu>> levels) {
        if (levels.isEmpty()) {
            return cpus;
        }
        List<List<Cpu>> groups = new ArrayList<>();
        for (List<Cpu> group : Cpus.grouped(cpus, levels.get(0)).values()) {
            groups.add(alternating(group, levels.subList(1, levels.size())));
        }
        boolean inNode = levels.size() < 4;
        if (inNode) {
            groups.sort(Comparator.comparingInt(group -> cpus.indexOf(group.get(0)))); // the fastest first
        }
        List<Cpu> order = new ArrayList<>(cpus.size());
        for (int turn = 0; order.size() < cpus.size(); turn++) {
            for (List<Cpu> group : groups) {
                if (turn < group.size()) {
                    order.add(group.get(turn));
                }
            }
        }
        return order;
    }

    /**
     * Position of each node of {@code cpus}, from 0: the lowest node, then the one nearest to all before, and among equally near
     * ones one of the same package. A node is -1 if it is unknown.
     *
     * @param sign 1; or -1 for the farthest node of another package instead
     */
    private static Map<Integer, Integer> nodes(Topology topology, List<Cpu> cpus, int sign) {
        Map<Integer, Integer> packages = new HashMap<>();
        cpus.forEach(cpu -> packages.merge(cpu.node(), cpu.pkg(), Math::min));
        List<Integer> left = new ArrayList<>(packages.keySet());
        left.sort(Comparator.comparingInt(Cpus::knownFirst));
        Map<Integer, Integer> positions = new LinkedHashMap<>();
        while (!left.isEmpty()) {
            Integer next = left.stream()
                    .min(Comparator.<Integer>comparingInt(node -> sign
                                    * positions.keySet().stream()
                                            .mapToInt(other -> topology.distance(other, node))
                                            .sum())
                            .thenComparingLong(node -> -sign
                                    * positions.keySet().stream()
                                            .filter(other -> packages.get(other).equals(packages.get(node)))
                                            .count()))
                    .orElseThrow();
            left.remove(next);
            positions.put(next, positions.size());
        }
        return positions;
    }
}
