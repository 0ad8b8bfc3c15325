package org.cabrank.affinity.placement;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.cabrank.affinity.CpuList;
import org.cabrank.affinity.topology.Cpu;
import org.cabrank.affinity.topology.Interrupt;
import org.cabrank.affinity.topology.NetworkInterface;
import org.cabrank.affinity.topology.Topology;

/** Gives each thread a CPU near a network interface. The {@code busy} CPUs serve its interrupts and come last. */
record NearInterface(String name, int node, CpuList busy, Set<Integer> busyCores) {
    /** Maximum number of interfaces in a message. Hosts of containers have hundreds of interfaces. */
    private static final int NAMED_MAX = 8;

    static PlacementPlan plan(Planner planner, String name) throws PlacementException {
        Topology topology = planner.topology();
        Optional<NetworkInterface> found = topology.networkInterface(name);
        int node = found.map(NetworkInterface::node).orElse(-1);
        if (found.isEmpty() || node < 0 && topology.nodes().size() > 1) {
            planner.compromise(
                    found.isEmpty()
                            ? "there is no network interface " + name
                            : "the kernel does not tell on which node " + name + " is",
                    "shards are packed wherever this process may run",
                    found.isEmpty() ? remedy(topology) : "choose CPUs by number");
        }
        // Ignores interrupts that may go to any CPU.
        CpuList busy = found.stream()
                .flatMap(nic -> nic.interrupts().stream())
                .filter(interrupt ->
                        !interrupt.allowed().containsAll(planner.limits().usable()))
                .map(Interrupt::cpus)
                .reduce(CpuList.of(), CpuList::union);
        return new NearInterface(name, node, busy, cores(topology.cpus(), cpu -> busy.contains(cpu.id())))
                .plan(planner);
    }

    private static Set<Integer> cores(List<Cpu> cpus, Predicate<Cpu> wanted) {
        return cpus.stream().filter(wanted).map(Cpu::core).collect(Collectors.toSet());
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

    private boolean isNear(Cpu cpu) {
        return node < 0 || cpu.node() == node;
    }

    private PlacementPlan plan(Planner planner) throws PlacementException {
        List<Cpu> order = order(planner);
        int each = planner.threadsPerShard();
        int near = (int) order.stream().filter(this::isNear).count();
        Set<Integer> cores = cores(order, this::isNear);
        int serving = (int) cores.stream().filter(busyCores::contains).count();
        int quiet = cores.size() - serving;
        int shards = planner.shards((quiet >= each ? quiet : cores.size()) / each, each);
        if (near < Math.min(order.size(), (long) shards * each)) {
            planner.compromise(
                    near == 0
                            ? "this process may use no CPU of node " + node + ", where " + name + " is"
                            : "node " + node + ", where " + name + " is, has only " + Cpus.count(near, "CPU")
                                    + " that this process may use",
                    "the nearest others are taken",
                    "ask for fewer shards or threads, or widen the process's CPUs");
        }
        planner.checkEnough(each, order.size());
        List<List<Cpu>> dealt = order.isEmpty() ? List.of() : Dealer.dealFirst(planner.topology(), order, shards, each);
        List<CpuList> sharing = Filling.sharing(dealt);
        return planner.inTurn(
                "near " + name + left(serving, quiet),
                dealt,
                (shard, cpus) -> Cpus.where(cpus) + why(cpus) + Filling.shared(sharing.get(shard)) + interrupts(cpus));
    }

    private List<Cpu> order(Planner planner) {
        List<Cpu> order = Orders.packed(planner);
        // Interrupts slow a whole core down, and most of all the hardware thread that serves them.
        Map<Cpu, Integer> ranks = Cpus.ranks(
                order,
                Comparator.<Cpu, Boolean>comparing(cpu -> busy.contains(cpu.id()))
                        .thenComparing(Orders.BY_PLACE));
        return order.stream()
                .sorted(Comparator.<Cpu>comparingInt(cpu -> distance(planner.topology(), cpu))
                        .thenComparing(cpu -> busyCores.contains(cpu.core()))
                        .thenComparing(ranks::get))
                .toList();
    }

    private int distance(Topology topology, Cpu cpu) {
        if (node < 0) {
            return 0;
        }
        return cpu.node() < 0 ? Integer.MAX_VALUE : topology.distance(cpu.node(), node);
    }

    private String left(int serving, int quiet) {
        String where = node < 0 ? "" : " of node " + node;
        if (serving == 0) {
            return "";
        }
        return quiet == 0
                ? "; every core" + where + " serves its interrupts"
                : "; " + Cpus.count(serving, "core") + where + (serving == 1 ? " is" : " are")
                        + " left to its interrupts";
    }

    private String why(List<Cpu> cpus) {
        boolean there = cpus.stream().allMatch(cpu -> cpu.node() == node);
        return node < 0 ? "" : there ? "; beside " + name : "; " + name + " is on node " + node;
    }

    private String interrupts(List<Cpu> cpus) {
        if (cpus.stream().anyMatch(cpu -> busy.contains(cpu.id()))) {
            return "; serves interrupts of " + name;
        }
        return cpus.stream().anyMatch(cpu -> busyCores.contains(cpu.core()))
                ? "; its core serves interrupts of " + name
                : "";
    }
}
