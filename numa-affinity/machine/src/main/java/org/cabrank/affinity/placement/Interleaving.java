package org.cabrank.affinity.placement;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToIntFunction;
import org.cabrank.affinity.topology.Cpu;

/** Orders CPUs so that each stands as far from those before it as the packages, nodes, L3 domains and clusters allow. */
final class Interleaving {
    private static final List<ToIntFunction<Cpu>> LEVELS =
            List.of(Cpu::pkg, cpu -> Cpus.knownFirst(cpu.node()), cpu -> Cpus.knownFirst(cpu.l3()), Cpus::cluster);

    private Interleaving() {}

    static List<Cpu> of(List<Cpu> cpus) {
        return of(cpus, 0);
    }

    private static List<Cpu> of(List<Cpu> cpus, int level) {
        if (level == LEVELS.size()) {
            return cpus;
        }
        List<List<Cpu>> groups = new ArrayList<>();
        Cpus.grouped(cpus, LEVELS.get(level)).values().forEach(group -> groups.add(of(group, level + 1)));
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
