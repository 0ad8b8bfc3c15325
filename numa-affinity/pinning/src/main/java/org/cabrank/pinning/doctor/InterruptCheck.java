package org.cabrank.pinning.doctor;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.cabrank.affinity.CpuList;
import org.cabrank.affinity.topology.Cpu;
import org.cabrank.affinity.topology.NetworkInterface;
import org.cabrank.affinity.topology.Topology;
import org.cabrank.pinning.doctor.DeviceInterrupts.Interrupt;

/** Interrupts of devices that go to the CPUs of a plan and can be moved. */
final class InterruptCheck {

    /** Maximum number of interrupts in a finding; further interrupts are counted. */
    private static final int NAMED_MAX = 8;

    private InterruptCheck() {}

    static Finding look(Check check, CheckContext context) {
        if (context.procfs().names("irq").isEmpty()) {
            return check.unknown(
                    "/proc/irq is missing, so which CPUs devices interrupt is unknown", Check.LOOK_ON_THE_HOST);
        }
        CpuList shards = context.plan().cpus();
        List<Interrupt> all = DeviceInterrupts.on(shards, context);
        List<Interrupt> there =
                all.stream().filter(interrupt -> interrupt.managed().isEmpty()).toList();
        if (there.isEmpty()) {
            return check.ok("no device interrupts CPU " + shards
                    + (all.isEmpty() ? "" : " with an interrupt that can be moved"));
        }
        return check.warning(
                "devices interrupt CPUs of shards: " + shortened(there, shards),
                "an answer waits while an interrupt, and the network's work after it, is done",
                remedy(context, shards, there.stream().map(Interrupt::irq).toList()));
    }

    /** Returns a command that moves each interrupt to CPUs of its own node, because a device's data is remote on other nodes. */
    private static String remedy(CheckContext context, CpuList shards, List<String> numbers) {
        Map<Integer, List<String>> byNode = new TreeMap<>();
        numbers.forEach(irq -> byNode.computeIfAbsent(node(context, irq), none -> new ArrayList<>())
                .add(irq));
        List<String> remedies = new ArrayList<>();
        byNode.forEach((node, irqs) -> {
            CpuList others = others(context.topology(), shards, node);
            remedies.add(
                    others.isEmpty()
                            ? "leave a CPU" + (node < 0 ? "" : " of node " + node)
                                    + " to the devices: fewer shards, and" + " interrupts " + String.join(" ", irqs)
                                    + " on the CPU that is left"
                            : "for i in " + String.join(" ", irqs) + "; do echo " + others
                                    + " > /proc/irq/$i/smp_affinity_list; done");
        });
        return String.join("; ", remedies) + "; where irqbalance runs, IRQBALANCE_BANNED_CPULIST=" + shards;
    }

    /** Returns the node of the interrupt's network interface, else of its target CPUs; -1 if unknown. */
    private static int node(CheckContext context, String irq) {
        Topology topology = context.topology();
        return topology.interfaces().stream()
                .filter(nic -> nic.node() >= 0)
                .filter(nic -> nic.interrupts().stream()
                        .anyMatch(interrupt -> Integer.toString(interrupt.irq()).equals(irq)))
                .mapToInt(NetworkInterface::node)
                .findFirst()
                .orElseGet(() -> {
                    int[] nodes = DeviceInterrupts.cpus(context, irq)
                            .cpus()
                            .map(cpu -> topology.cpu(cpu).map(Cpu::node).orElse(-1))
                            .distinct()
                            .toArray();
                    return nodes.length == 1 ? nodes[0] : -1;
                });
    }

    /** Returns CPUs of a node without shards; prefers CPUs whose cores have no shard. */
    private static CpuList others(Topology topology, CpuList shards, int node) {
        CpuList others = CpuList.of(topology.cpus().stream()
                .filter(cpu -> cpu.online() && (node < 0 || cpu.node() == node) && !shards.contains(cpu.id()))
                .mapToInt(Cpu::id)
                .toArray());
        CpuList onOtherCores = others.filter(
                cpu -> topology.smtSiblings(cpu).intersection(shards).isEmpty());
        return onOtherCores.isEmpty() ? others : onOtherCores;
    }

    /** Describes the first interrupts and counts the rest. */
    static String shortened(List<Interrupt> there, CpuList shards) {
        int more = there.size() - NAMED_MAX;
        return there.stream()
                        .limit(NAMED_MAX)
                        .map(interrupt -> interrupt.words(shards))
                        .collect(Collectors.joining("; "))
                + (more > 0 ? "; and " + more + " more" : "");
    }
}
