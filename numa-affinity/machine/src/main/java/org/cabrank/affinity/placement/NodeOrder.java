package org.cabrank.affinity.placement;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.cabrank.affinity.topology.Cpu;
import org.cabrank.affinity.topology.Topology;

/** Orders the nodes of CPUs by their distances, and by packages where the distances are equal. A node is -1 if it is unknown. */
final class NodeOrder {
    private final Topology topology;
    private final Map<Integer, Integer> packages = new HashMap<>();
    private final List<Integer> order = new ArrayList<>();

    private NodeOrder(Topology topology, List<Cpu> cpus) {
        this.topology = topology;
        cpus.forEach(cpu -> packages.merge(cpu.node(), cpu.pkg(), Math::min));
    }

    /** Position of each node, from 0: the lowest node, then the one nearest to all before. */
    static Map<Integer, Integer> nearestFirst(Topology topology, List<Cpu> cpus) {
        return new NodeOrder(topology, cpus).positions(1);
    }

    /** Position of each node, from 0: the lowest node, then the one farthest from all before. */
    static Map<Integer, Integer> farthestFirst(Topology topology, List<Cpu> cpus) {
        return new NodeOrder(topology, cpus).positions(-1);
    }

    private Map<Integer, Integer> positions(int sign) {
        List<Integer> left = new ArrayList<>(packages.keySet());
        left.sort(Comparator.comparingInt(Cpus::knownFirst));
        Map<Integer, Integer> positions = new HashMap<>();
        while (!left.isEmpty()) {
            int next = left.stream()
                    .min(Comparator.<Integer>comparingInt(node -> sign * distance(node))
                            .thenComparingInt(node -> -sign * sharing(node)))
                    .orElseThrow();
            left.remove(Integer.valueOf(next));
            positions.put(next, order.size());
            order.add(next);
        }
        return positions;
    }

    /** Sum of the distances to the nodes before. */
    private int distance(int node) {
        return order.stream()
                .mapToInt(other -> node < 0 || other < 0 ? Topology.REMOTE_DISTANCE : topology.distance(other, node))
                .sum();
    }

    /** Number of the nodes before that are in the same package. */
    private int sharing(int node) {
        return (int) order.stream()
                .filter(other -> packages.get(other).equals(packages.get(node)))
                .count();
    }
}
