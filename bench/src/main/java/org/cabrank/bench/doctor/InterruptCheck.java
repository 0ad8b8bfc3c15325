package org.cabrank.bench.doctor;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.cabrank.affinity.CpuList;
import org.cabrank.affinity.topology.Cpu;
import org.cabrank.affinity.topology.NetworkInterface;
import org.cabrank.affinity.topology.Topology;

/** Whether devices interrupt the CPUs of a plan. */
final class InterruptCheck implements Check {
    private static final String ID = "interrupts";
    private static final String SUBJECT = "interrupts";

    /** More are counted. */
    private static final int NAMED_MAX = 8;

    @Override
    public Finding look(Patient patient) {
        if (patient.plan() == null || patient.plan().cpus().isEmpty()) {
            return Finding.note(
                    ID,
                    SUBJECT,
                    "not examined: without a placement it is not known which CPUs matter",
                    "",
                    "cabrank doctor --placement cores --shards N");
        }
        CpuList shards = patient.plan().cpus();
        Map<String, String> used = used(patient.files());
        List<String> there = new ArrayList<>();
        List<String> numbers = new ArrayList<>();
        for (String irq : patient.files().namesOfProc("irq")) {
            boolean number = irq.chars().allMatch(Character::isDigit);
            if (number && (used.isEmpty() || used.containsKey(irq))) {
                CpuList cpus = cpus(patient.files(), irq).intersection(shards);
                if (!cpus.isEmpty()) {
                    there.add(irq + name(used.get(irq)) + " on CPU " + cpus);
                    numbers.add(irq);
                }
            }
        }
        if (there.isEmpty()) {
            return Finding.ok(ID, SUBJECT, "no device interrupts CPU " + shards);
        }
        return Finding.warning(
                ID,
                SUBJECT,
                "devices interrupt CPUs of shards: " + shortened(there),
                "an answer waits while an interrupt, and the network's work after it, is done",
                remedy(patient, shards, numbers));
    }

    /** Moves each interrupt to CPUs of its own node: on another one the data of its device would be remote. */
    private static String remedy(Patient patient, CpuList shards, List<String> numbers) {
        Map<Integer, List<String>> byNode = new TreeMap<>();
        numbers.forEach(irq -> byNode.computeIfAbsent(node(patient, irq), none -> new ArrayList<>())
                .add(irq));
        List<String> remedies = new ArrayList<>();
        byNode.forEach((node, irqs) -> {
            CpuList others = others(patient.topology(), shards, node);
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

    /** The node of the network interface that has the interrupt, else that of the CPUs that it goes to; -1: unknown. */
    private static int node(Patient patient, String irq) {
        Topology topology = patient.topology();
        return topology.interfaces().stream()
                .filter(nic -> nic.node() >= 0)
                .filter(nic -> nic.interrupts().stream()
                        .anyMatch(interrupt -> Integer.toString(interrupt.irq()).equals(irq)))
                .mapToInt(NetworkInterface::node)
                .findFirst()
                .orElseGet(() -> {
                    int[] nodes = cpus(patient.files(), irq)
                            .cpus()
                            .map(cpu -> topology.cpu(cpu).map(Cpu::node).orElse(-1))
                            .distinct()
                            .toArray();
                    return nodes.length == 1 ? nodes[0] : -1;
                });
    }

    /** CPUs of a node without shards, if there are any those whose cores have no shard either. */
    private static CpuList others(Topology topology, CpuList shards, int node) {
        CpuList others = CpuList.of(topology.cpus().stream()
                .filter(cpu -> cpu.online() && (node < 0 || cpu.node() == node) && !shards.contains(cpu.id()))
                .mapToInt(Cpu::id)
                .toArray());
        CpuList onOtherCores = CpuList.of(others.cpus()
                .filter(cpu -> topology.smtSiblings(cpu).intersection(shards).isEmpty())
                .toArray());
        return onOtherCores.isEmpty() ? others : onOtherCores;
    }

    private static String shortened(List<String> there) {
        int more = there.size() - NAMED_MAX;
        return String.join("; ", there.subList(0, Math.min(there.size(), NAMED_MAX)))
                + (more > 0 ? "; and " + more + " more" : "");
    }

    private static String name(String name) {
        return name == null || name.isEmpty() ? "" : " (" + name + ")";
    }

    /** The CPUs that it goes to; none where the kernel does not tell. */
    private static CpuList cpus(KernelFiles files, String irq) {
        String directory = "irq/" + irq + "/";
        String list = files.proc(directory + "effective_affinity_list")
                .filter(text -> !text.isEmpty())
                .or(() -> files.proc(directory + "smp_affinity_list"))
                .orElse("");
        return list.matches("[0-9,-]+") ? CpuList.parse(list) : CpuList.of();
    }

    /** The interrupts that have come since the machine was booted, with the names of their devices (proc_interrupts(5)). */
    private static Map<String, String> used(KernelFiles files) {
        Map<String, String> used = new HashMap<>();
        files.proc("interrupts")
                .ifPresent(text -> text.lines().skip(1).forEach(line -> {
                    int colon = line.indexOf(':');
                    if (colon > 0) {
                        String[] columns = line.substring(colon + 1).strip().split(" +");
                        long count = 0;
                        int column = 0;
                        while (column < columns.length && columns[column].matches("\\d{1,18}")) {
                            count += Long.parseLong(columns[column++]);
                        }
                        if (count > 0) {
                            used.put(line.substring(0, colon).strip(), columns[columns.length - 1]);
                        }
                    }
                }));
        return used;
    }
}
