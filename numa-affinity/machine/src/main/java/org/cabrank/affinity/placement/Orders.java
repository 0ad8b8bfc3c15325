package org.cabrank.affinity.placement;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToIntFunction;
import org.cabrank.affinity.CpuList;
import org.cabrank.affinity.topology.Cpu;
import org.cabrank.affinity.topology.Topology;

/** Orders in which placements use the CPUs of a machine, best first. */
final class Orders {
    /** Sorts by kind of core, then by NUMA node, package and L3 cache. Among CPUs that share an L3 cache, fast cores come first. */
    static final Comparator<Cpu> BY_PLACE = Comparator.<Cpu>comparingInt(
                    cpu -> cpu.kind().ordinal())
            .thenComparingInt(
                    cpu -> knownFirst(cpu.node())) // virtual machines may have a package for each CPU of a node
            .thenComparingInt(Cpu::pkg)
            .thenComparingInt(cpu -> knownFirst(cpu.l3()))
            .thenComparingInt(cpu -> -cpu.capacity())
            .thenComparingInt(Cpu::core)
            .thenComparingInt(Cpu::thread)
            .thenComparingInt(Cpu::id);

    private Orders() {}

    static List<Cpu> byPlace(Planner planner) {
        return planner.usable().stream().sorted(BY_PLACE).toList();
    }

    static List<Cpu> coresFirst(Planner planner) {
        return localMemoryFirst(planner, coresFirst(planner.usable()));
    }

    static List<Cpu> coresFirst(List<Cpu> cpus) {
        Map<Cpu, Integer> ranks = Cpus.ranks(cpus, BY_PLACE);
        return ranks.keySet().stream().sorted(Comparator.comparing(ranks::get)).toList();
    }

    /** Second hardware threads come last, because they cost more than distant memory. In each kind of core, local memory comes first. */
    private static List<Cpu> localMemoryFirst(Planner planner, List<Cpu> order) {
        Map<Cpu, Integer> ranks = Cpus.ranks(order, BY_PLACE);
        return order.stream()
                .sorted(Comparator.<Cpu, Integer>comparing(ranks::get)
                        .thenComparing(Cpu::kind)
                        .thenComparing(cpu -> !planner.memory().isLocal(cpu)))
                .toList();
    }

    /** Isolated CPUs that this process may use. With isolcpus= they are not in inherited masks, but a thread may be pinned to them. */
    static List<Cpu> isolated(Planner planner) {
        return coresFirst(planner.topology().cpus().stream()
                .filter(cpu -> cpu.isolated() && planner.unusableReason(cpu) == null)
                .toList());
    }

    /**
     * CPUs ordered by L3 domain. Domains with the fastest cores come first. Among equal domains, each node is near to the earlier nodes,
     * and nodes without memory for this process come last. In a domain, one hardware thread of each core comes before all second threads.
     *
     * <p>CPUs without an L3 cache are a domain of their own. If each core has its own L3 cache (POWER7), a node is one domain.
     */
    static List<Cpu> packed(Planner planner) {
        List<Cpu> cpus = planner.usable();
        Topology topology = planner.topology();
        boolean sharedCaches = topology.l3Domains().stream().anyMatch(domain -> Cpus.cores(planner.online(domain)) > 1);
        ToIntFunction<Cpu> l3 = cpu -> sharedCaches ? knownFirst(cpu.l3()) : 0;
        Map<List<Integer>, Integer> fastest = new HashMap<>();
        cpus.forEach(cpu -> fastest.merge(domain(cpu, l3), cpu.kind().ordinal(), Math::min));
        Map<Integer, Integer> nodes =
                nodes(topology, cpus.stream().filter(planner.memory()::isLocal).toList(), 1);
        nodes(topology, cpus, 1).forEach((node, position) -> nodes.putIfAbsent(node, cpus.size() + position));
        // The sort is stable: a domain has its fast cores first, then slow cores, then the siblings of fast cores.
        return coresFirst(cpus).stream()
                .sorted(Comparator.<Cpu>comparingInt(cpu -> fastest.get(domain(cpu, l3)))
                        .thenComparingInt(cpu -> nodes.get(cpu.node()))
                        .thenComparingInt(Cpu::pkg)
                        .thenComparingInt(l3))
                .toList();
    }

    private static List<Integer> domain(Cpu cpu, ToIntFunction<Cpu> l3) {
        return List.of(cpu.pkg(), cpu.node(), l3.applyAsInt(cpu));
    }

    /** Puts each CPU as far as possible from the earlier CPUs. Fast cores come first, siblings last. */
    static List<Cpu> spread(Planner planner) {
        List<Cpu> cpus = planner.usable();
        Map<Integer, Integer> nodes = nodes(planner.topology(), cpus, -1);
        List<ToIntFunction<Cpu>> levels =
                List.of(cpu -> nodes.get(cpu.node()), Cpu::pkg, cpu -> knownFirst(cpu.l3()), Orders::cluster);
        Map<Cpu, Integer> ranks = Cpus.ranks(cpus, BY_PLACE);
        List<Cpu> order = new ArrayList<>();
        for (List<Cpu> rank : Cpus.grouped(coresFirst(cpus), ranks::get).values()) {
            Cpus.grouped(rank, cpu -> cpu.kind().ordinal())
                    .values()
                    .forEach(kind -> order.addAll(alternating(kind, levels)));
        }
        return localMemoryFirst(planner, order);
    }

    /** Groups the CPUs by the first level, orders each group by the other levels, and takes one CPU of each group in turn. */
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
     * Returns the position of each node, from 0. The lowest node is first. With {@code sign} 1, the next node is the nearest to all earlier
     * nodes, if possible in the same package. With -1, it is the farthest, if possible in another package. An unknown node is -1.
     */
    private static Map<Integer, Integer> nodes(Topology topology, List<Cpu> cpus, int sign) {
        Map<Integer, Integer> packages = new HashMap<>();
        cpus.forEach(cpu -> packages.merge(cpu.node(), cpu.pkg(), Math::min));
        List<Integer> left = new ArrayList<>(packages.keySet());
        left.sort(Comparator.comparingInt(Orders::knownFirst));
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

    /** Number of the cluster of the CPU's core. If the kernel shows no clusters (before Linux 5.16), a number for the L2 cache. */
    static int cluster(Cpu cpu) {
        if (cpu.cluster() >= 0) {
            return cpu.cluster();
        }
        return cpu.l2() >= 0 ? CpuList.CPUS_MAX + cpu.l2() : 2 * CpuList.CPUS_MAX + cpu.core();
    }

    private static int knownFirst(int domain) {
        return domain < 0 ? Integer.MAX_VALUE : domain;
    }
}
