package org.cabrank.affinity.placement;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.cabrank.affinity.CpuList;
import org.cabrank.affinity.topology.Cpu;
import org.cabrank.affinity.topology.Interrupt;
import org.cabrank.affinity.topology.NetworkInterface;
import org.cabrank.affinity.topology.Topology;

/** A CPU for each thread near a network interface, those that serve its interrupts last. */
record NearInterface(String name) {
    /** Containers of a host have hundreds of interfaces. */
    private static final int NAMED_MAX = 8;

    PlacementPlan plan(Planning planning) throws PlacementException {
        Topology topology = planning.topology();
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
        Set<Integer> interrupted = cores(topology, busy);
        int each = planning.threadsPerShard();
        int near = (int)
                order.stream().filter(cpu -> node < 0 || cpu.node() == node).count();
        Set<Integer> cores = nearCores(order, node);
        int quiet =
                (int) cores.stream().filter(core -> !interrupted.contains(core)).count();
        int shards = planning.shards((quiet >= each ? quiet : cores.size()) / each);
        if (near < Math.min(order.size(), (long) shards * each)) {
            planning.compromise(
                    near == 0
                            ? "this process may use no CPU of node " + node + ", where " + name + " is"
                            : "node " + node + ", where " + name + " is, has only " + Cpus.count(near, "CPU")
                                    + " that this process may use",
                    "the nearest others are taken",
                    "ask for fewer shards or threads, or widen the process's CPUs");
        }
        planning.checkEnough(each, order.size());
        List<List<Cpu>> dealt = order.isEmpty() ? List.of() : Dealer.dealFirst(topology, order, shards, each);
        CoreSharing sharing = new CoreSharing(dealt, false);
        return planning.inTurn(
                "near " + name + left(order, node, interrupted),
                dealt,
                (shard, cpus) -> Cpus.where(cpus)
                        + why(cpus, node)
                        + sharing.words(shard)
                        + interrupts(cpus, busy, interrupted));
    }

    /** Describes the cores near the interface that serve its interrupts; empty if there are none. */
    private static String left(List<Cpu> order, int node, Set<Integer> interrupted) {
        Set<Integer> near = nearCores(order, node);
        long serving = near.stream().filter(interrupted::contains).count();
        String where = node < 0 ? "" : " of node " + node;
        return serving == 0
                ? ""
                : serving == near.size()
                        ? "; every core" + where + " serves its interrupts"
                        : "; " + Cpus.count((int) serving, "core") + where + (serving == 1 ? " is" : " are")
                                + " left to its interrupts";
    }

    private static Set<Integer> nearCores(List<Cpu> order, int node) {
        return order.stream()
                .filter(cpu -> node < 0 || cpu.node() == node)
                .map(Cpu::core)
                .collect(Collectors.toSet());
    }

    private static Set<Integer> cores(Topology topology, CpuList cpus) {
        return topology.cpus().stream()
                .filter(cpu -> cpus.contains(cpu.id()))
                .map(Cpu::core)
                .collect(Collectors.toSet());
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
        List<Cpu> order = Orders.packed(planning);
        Topology topology = planning.topology();
        Set<Integer> interruptedCores = cores(topology, busy);
        // Interrupts slow a whole core down, and most of all the hardware thread that serves them.
        Map<Cpu, Integer> ranks = Cpus.ranks(
                order,
                Comparator.<Cpu, Boolean>comparing(cpu -> busy.contains(cpu.id()))
                        .thenComparing(Cpus.BY_PLACE));
        return order.stream()
                .sorted(Comparator.<Cpu>comparingInt(cpu -> distance(topology, cpu, node))
                        .thenComparing(cpu -> interruptedCores.contains(cpu.core()))
                        .thenComparing(ranks::get))
                .toList();
    }

    private static int distance(Topology topology, Cpu cpu, int node) {
        if (node < 0) {
            return 0;
        }
        return cpu.node() < 0 ? Integer.MAX_VALUE : topology.distance(cpu.node(), node);
    }

    private String why(List<Cpu> cpus, int node) {
        boolean there = cpus.stream().allMatch(cpu -> cpu.node() == node);
        return node < 0 ? "" : there ? "; beside " + name : "; " + name + " is on node " + node;
    }

    private String interrupts(List<Cpu> cpus, CpuList busy, Set<Integer> interrupted) {
        if (cpus.stream().anyMatch(cpu -> busy.contains(cpu.id()))) {
            return "; serves interrupts of " + name;
        }
        return cpus.stream().anyMatch(cpu -> interrupted.contains(cpu.core()))
                ? "; its core serves interrupts of " + name
                : "";
    }
}
