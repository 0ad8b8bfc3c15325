package org.cabrank.affinity.placement;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.cabrank.affinity.CpuList;
import org.cabrank.affinity.limits.ProcessLimits;
import org.cabrank.affinity.topology.Cpu;
import org.cabrank.affinity.topology.Interrupt;
import org.cabrank.affinity.topology.NetworkInterface;
import org.cabrank.affinity.topology.Topology;

/** A CPU for each thread near a network interface, those that serve its interrupts last. */
record NearInterface(String name) implements Placement {
    static final String PREFIX = "nic:";

    /** Containers of a host have hundreds of interfaces. */
    private static final int NAMED_MAX = 8;

    @Override
    public PlacementPlan plan(Topology topology, ProcessLimits limits, int shards, int threadsPerShard, boolean strict)
            throws PlacementException {
        Planning planning = new Planning(topology, limits, shards, threadsPerShard, strict);
        Optional<NetworkInterface> found = topology.networkInterface(name);
        if (found.isEmpty()) {
            planning.compromise(
                    "there is no network interface " + name,
                    "shards are packed wherever this process may run",
                    remedy(topology));
        }
        int node = found.map(NetworkInterface::node).orElse(-1);
        if (found.isPresent() && node < 0 && topology.nodes().size() > 1) {
            planning.compromise(
                    "the kernel does not tell on which node " + name + " is",
                    "shards are packed wherever this process may run",
                    "choose CPUs by number");
        }
        CpuList busy = found.map(nic -> interrupted(planning, nic)).orElse(CpuList.of());
        List<Cpu> order = order(planning, node, busy);
        if (order.isEmpty()) {
            return new OneByOne(OneByOne.Order.PACK).plan(topology, limits, shards, threadsPerShard, strict);
        }
        return planning.plan(this, "near " + name, places(planning, order, node, busy));
    }

    private static String remedy(Topology topology) {
        List<String> names =
                topology.interfaces().stream().map(NetworkInterface::name).toList();
        int more = names.size() - NAMED_MAX;
        return names.isEmpty()
                ? "sysfs shows no network interface at all, so choose another placement"
                : "name one of " + String.join(", ", names.subList(0, Math.min(names.size(), NAMED_MAX)))
                        + (more > 0 ? ", ... (" + more + " more)" : "");
    }

    /** The CPUs that its interrupts are bound to. One that may go to any CPU says nothing about a particular one. */
    private static CpuList interrupted(Planning planning, NetworkInterface nic) {
        CpuList usable = planning.limits().usable();
        return nic.interrupts().stream()
                .filter(interrupt -> !interrupt.allowed().containsAll(usable))
                .map(Interrupt::cpus)
                .reduce(CpuList.of(), CpuList::union);
    }

    private static List<Cpu> order(Planning planning, int node, CpuList busy) {
        List<Cpu> order = new ArrayList<>(OneByOne.packed(planning.usable()));
        Topology topology = planning.topology();
        Set<Integer> interruptedCores = topology.cpus().stream()
                .filter(cpu -> busy.contains(cpu.id()))
                .map(Cpu::core)
                .collect(Collectors.toSet());
        // Interrupts slow a whole core down, and most of all the hardware thread that serves them.
        order.sort(Comparator.<Cpu>comparingInt(cpu -> distance(topology, cpu, node))
                .thenComparing(cpu -> interruptedCores.contains(cpu.core()))
                .thenComparing(cpu -> busy.contains(cpu.id())));
        return order;
    }

    private static int distance(Topology topology, Cpu cpu, int node) {
        if (node < 0) {
            return 0;
        }
        return cpu.node() < 0 ? Integer.MAX_VALUE : topology.distance(cpu.node(), node);
    }

    private List<ShardPlace> places(Planning planning, List<Cpu> order, int node, CpuList busy)
            throws PlacementException {
        int each = planning.threadsPerShard();
        int near = (int)
                order.stream().filter(cpu -> node < 0 || cpu.node() == node).count();
        int shards = planning.shards(near / each);
        if (near < Math.min(order.size(), (long) shards * each)) {
            planning.compromise(
                    near == 0
                            ? "this process may use no CPU of node " + node + ", where " + name + " is"
                            : "node " + node + ", where " + name + " is, has only " + Cpus.count(near, "CPU")
                                    + " that this process may use",
                    "the nearest others are taken",
                    "ask for fewer shards or threads, or widen the process's CPUs");
        }
        OneByOne.checkEnough(planning, shards, each, order.size());
        List<ShardPlace> places = new ArrayList<>();
        Dealer dealer = Dealer.ofFirst(order, (long) shards * each);
        for (int shard = 0; shard < shards; shard++) {
            List<Cpu> cpus = dealer.deal(each);
            places.add(planning.inTurn(shard, cpus, Cpus.where(cpus) + why(cpus, node, busy)));
        }
        return places;
    }

    private String why(List<Cpu> cpus, int node, CpuList busy) {
        boolean interrupted = cpus.stream().anyMatch(cpu -> busy.contains(cpu.id()));
        boolean there = cpus.stream().allMatch(cpu -> cpu.node() == node);
        return (node < 0 ? "" : there ? "; beside " + name : "; " + name + " is on node " + node)
                + (interrupted ? "; serves interrupts of " + name : "");
    }

    @Override
    public String toString() {
        return PREFIX + name;
    }
}
