package org.cabrank.affinity.placement;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.ToIntFunction;
import org.cabrank.affinity.topology.Cpu;

/** Orders CPUs so that each stands as far from those before it as the nodes, packages, L3 domains and clusters allow. */
final class Interleaving {
    private final List<ToIntFunction<Cpu>> levels;

    /** @param nodes position of each node */
    Interleaving(Map<Integer, Integer> nodes) {
        levels = List.of(cpu -> nodes.get(cpu.node()), Cpu::pkg, cpu -> Cpus.knownFirst(cpu.l3()), Cpus::cluster);
    }

    List<Cpu> of(List<Cpu> cpus) {
        return of(cpus, 0);
    }

    private List<Cpu> of(List<Cpu> cpus, int level) {
        if (level == levels.size()) {
            return cpus;
        }
        List<List<Cpu>> groups = new ArrayList<>();
        Cpus.grouped(cpus, levels.get(level)).values().forEach(group -> groups.add(of(group, level + 1)));
        if (level > 0) {
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
}
