package org.cabrank.pinning.doctor;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.cabrank.affinity.CpuList;
import org.cabrank.affinity.topology.Cpu;
import org.cabrank.affinity.topology.NetworkInterface;
import org.cabrank.affinity.topology.Topology;

final class InterruptChecks {
    private static final int NAMED_MAX = 8;

    /** Names of queues whose drivers use managed interrupts: NVMe, virtio block devices and SCSI controllers. */
    private static final Pattern SPREAD_QUEUES =
            Pattern.compile("nvme\\d+q[1-9]\\d*|virtio\\d+-(req\\.\\d+|request(_\\d+)?)");

    private static final int WORD_DIGITS = 8;

    private InterruptChecks() {}

    private enum Evidence {
        /** The affinity file is read-only. Current kernels (6.18) make it read-only for managed interrupts. */
        READ_ONLY_FILE("its smp_affinity is read-only"),
        DEBUGFS("according to debugfs"),
        /** The driver is known to use managed interrupts. An older kernel shows this only by a failed write to the affinity file (EIO). */
        NAME("by its name, since this kernel shows it in debugfs alone");

        private final String words;

        Evidence(String words) {
            this.words = words;
        }

        @Override
        public String toString() {
            return words;
        }
    }

    /** An interrupt that has occurred since boot. The device is empty if it is unknown. */
    private record Interrupt(String irq, String device, CpuList cpus, Optional<Evidence> managed) {
        /** Text such as {@code 42 (eth0-TxRx-1) on CPU 1}. */
        String text(CpuList shards) {
            return irq + (device.isEmpty() ? "" : " (" + device + ")") + " on CPU " + cpus.intersection(shards);
        }
    }

    static Finding movable(Check check, CheckContext context) {
        if (context.procfs().names("irq").isEmpty()) {
            return check.notShown("/proc/irq is missing, so which CPUs devices interrupt is unknown");
        }
        CpuList shards = context.plan().cpus();
        List<Interrupt> all = interrupts(shards, context);
        List<Interrupt> there =
                all.stream().filter(interrupt -> interrupt.managed().isEmpty()).toList();
        return there.isEmpty()
                ? check.ok("no device interrupts CPU " + shards
                        + (all.isEmpty() ? "" : " with an interrupt that can be moved"))
                : check.warning(
                        "devices interrupt CPUs of shards: " + shortened(there, shards),
                        "an answer waits while an interrupt, and the network's work after it, is done",
                        remedy(context.topology(), shards, there));
    }

    /** Reports managed interrupts on CPUs of shards. The kernel does not move them. Only threads on the CPUs of a queue cause them. */
    static Finding managed(Check check, CheckContext context) {
        if (context.procfs().names("irq").isEmpty()) {
            return check.notShown("/proc/irq is missing");
        }
        CpuList shards = context.plan().cpus();
        List<Interrupt> there = interrupts(shards, context).stream()
                .filter(interrupt -> interrupt.managed().isPresent())
                .toList();
        if (there.isEmpty()) {
            return check.ok("none on CPU " + shards);
        }
        CpuList touched = there.stream()
                .map(Interrupt::cpus)
                .reduce(CpuList.of(), CpuList::union)
                .intersection(shards);
        String evidence = there.stream()
                .flatMap(interrupt -> interrupt.managed().stream())
                .distinct()
                .sorted()
                .map(Objects::toString)
                .collect(Collectors.joining("; or "));
        return check.note(
                shortened(there, shards) + " (" + evidence + ")",
                "they come when a thread on one of these CPUs reads or writes the device, and delay the shard's answers",
                "leave files to threads on other CPUs; or boot with isolcpus=managed_irq,domain," + touched
                        + ", which keeps interrupts of queues that other CPUs share away; writing smp_affinity fails");
    }

    private static String shortened(List<Interrupt> there, CpuList shards) {
        int more = there.size() - NAMED_MAX;
        return there.stream()
                        .limit(NAMED_MAX)
                        .map(interrupt -> interrupt.text(shards))
                        .collect(Collectors.joining("; "))
                + (more > 0 ? "; and " + more + " more" : "");
    }

    /** Returns a command that moves each interrupt to CPUs of the same node, because the device's data would be remote on another node. */
    private static String remedy(Topology topology, CpuList shards, List<Interrupt> there) {
        Map<Integer, List<String>> byNode = new TreeMap<>();
        there.forEach(interrupt -> byNode.computeIfAbsent(node(topology, interrupt), none -> new ArrayList<>())
                .add(interrupt.irq()));
        List<String> remedies = new ArrayList<>();
        byNode.forEach((node, irqs) -> {
            CpuList others = others(topology, shards, node);
            String numbers = String.join(" ", irqs);
            remedies.add(
                    others.isEmpty()
                            ? "leave a CPU" + (node < 0 ? "" : " of node " + node)
                                    + " to the devices: fewer shards, and interrupts " + numbers
                                    + " on the CPU that is left"
                            : "for i in " + numbers + "; do echo " + others
                                    + " > /proc/irq/$i/smp_affinity_list; done");
        });
        return String.join("; ", remedies) + "; where irqbalance runs, IRQBALANCE_BANNED_CPULIST=" + shards;
    }

    /** Returns the node of the network interface, or of the target CPUs if there is no interface. Returns -1 if the node is unknown. */
    private static int node(Topology topology, Interrupt interrupt) {
        int[] nodes = interrupt
                .cpus()
                .cpus()
                .map(cpu -> topology.cpu(cpu).map(Cpu::node).orElse(-1))
                .distinct()
                .toArray();
        return topology.interfaces().stream()
                .filter(nic -> nic.node() >= 0)
                .filter(nic -> nic.interrupts().stream()
                        .anyMatch(own -> Integer.toString(own.irq()).equals(interrupt.irq())))
                .mapToInt(NetworkInterface::node)
                .findFirst()
                .orElse(nodes.length == 1 ? nodes[0] : -1);
    }

    /** Returns the CPUs of a node that have no shard. If some cores have no shard at all, returns only the CPUs of these cores. */
    private static CpuList others(Topology topology, CpuList shards, int node) {
        CpuList others = CpuList.of(topology.cpus().stream()
                .filter(cpu -> cpu.online() && (node < 0 || cpu.node() == node) && !shards.contains(cpu.id()))
                .mapToInt(Cpu::id)
                .toArray());
        CpuList onOtherCores = others.filter(
                cpu -> topology.smtSiblings(cpu).intersection(shards).isEmpty());
        return onOtherCores.isEmpty() ? others : onOtherCores;
    }

    private static List<Interrupt> interrupts(CpuList cpus, CheckContext context) {
        Map<String, String> used = used(context);
        List<Interrupt> there = new ArrayList<>();
        for (String irq : context.procfs().names("irq")) {
            if (irq.matches("\\d+") && (used.isEmpty() || used.containsKey(irq))) {
                String directory = "irq/" + irq + "/";
                CpuList goesTo = context.procfs()
                        .list(directory + "effective_affinity_list")
                        .filter(effective -> !effective.isEmpty())
                        .or(() -> context.procfs().list(directory + "smp_affinity_list"))
                        .orElse(CpuList.of());
                if (!goesTo.intersection(cpus).isEmpty()) {
                    String device = used.getOrDefault(irq, "");
                    there.add(new Interrupt(irq, device, goesTo, evidence(context, irq, device)));
                }
            }
        }
        return there;
    }

    /** Interrupts that have occurred since boot, with their devices (proc_interrupts(5)). */
    private static Map<String, String> used(CheckContext context) {
        Map<String, String> used = new HashMap<>();
        context.procfs().text("interrupts").orElse("").lines().skip(1).forEach(line -> {
            String[] columns = line.strip().split(":? +");
            long count = 0;
            for (int column = 1; column < columns.length && columns[column].matches("\\d{1,18}"); column++) {
                count += Long.parseLong(columns[column]);
            }
            if (count > 0) {
                used.put(columns[0], columns[columns.length - 1]);
            }
        });
        return used;
    }

    private static Optional<Evidence> evidence(CheckContext context, String irq, String device) {
        if (isReadOnly(context.procfs().path("irq/" + irq + "/smp_affinity"))) {
            return Optional.of(Evidence.READ_ONLY_FILE);
        }
        Optional<String> state = context.sysfs().text("kernel/debug/irq/irqs/" + irq);
        if (state.isPresent()) {
            return state.filter(text -> text.contains("IRQD_AFFINITY_MANAGED")).map(text -> Evidence.DEBUGFS);
        }
        return SPREAD_QUEUES.matcher(device).matches() ? Optional.of(Evidence.NAME) : Optional.empty();
    }

    private static boolean isReadOnly(Path file) {
        try {
            return PosixFilePermissions.toString(Files.getPosixFilePermissions(file))
                    .equals("r--r--r--");
        } catch (IOException absent) {
            return false;
        }
    }

    /** Checks packet steering (RPS, XPS), which chooses the CPUs that process the packets of each queue. */
    static Finding steering(Check check, CheckContext context) {
        CpuList shards = context.plan().cpus();
        List<String> found = new ArrayList<>();
        List<String> remedies = new ArrayList<>();
        for (NetworkInterface nic : context.topology().interfaces()) {
            if (nic.up() && !nic.device().isEmpty()) {
                receive(context, nic.name(), found, remedies);
                transmit(context, nic.name(), found, remedies);
            }
        }
        return found.isEmpty()
                ? check.ok("no packet of another CPU is worked on by CPU " + shards)
                : check.note(
                        String.join("; ", found),
                        "the network's work for connections of other CPUs delays the answers of these shards, or one CPU"
                                + " does it for all",
                        String.join("; ", remedies));
    }

    private static void receive(CheckContext context, String nic, List<String> found, List<String> remedies) {
        CpuList shards = context.plan().cpus();
        CpuList steered = masks(context, nic, "rx-", "rps_cpus");
        String write = "for q in /sys/class/net/" + nic + "/queues/rx-*; do echo ";
        if (!steered.intersection(shards).isEmpty()) {
            CpuList others = steered.without(shards);
            found.add("RPS of " + nic + " hands packets to CPU " + steered.intersection(shards) + " of shards");
            remedies.add(write + (others.isEmpty() ? "0" : hex(others)) + " > $q/rps_cpus; done");
        } else if (queues(context, nic, "rx-").size() == 1 && steered.isEmpty() && shards.size() > 1) {
            CpuList others = context.topology().online().without(shards);
            found.add(nic + " has one receive queue, whose CPU does the network's work of " + shards.size() + " CPUs");
            remedies.add("ethtool -L " + nic + " combined " + shards.size() + " where the card has more queues"
                    + (others.isEmpty() ? "" : "; else " + write + hex(others) + " > $q/rps_cpus; done"));
        }
    }

    private static void transmit(CheckContext context, String nic, List<String> found, List<String> remedies) {
        CpuList named = masks(context, nic, "tx-", "xps_cpus");
        CpuList without = context.plan().cpus().without(named);
        if (!named.isEmpty() && !without.isEmpty()) {
            String cpus = CheckContext.brief(without);
            found.add("XPS of " + nic + " names transmit queues for CPU " + CheckContext.brief(named)
                    + " and not for CPU " + cpus + " of shards");
            remedies.add("add CPU " + cpus + " to xps_cpus of some of /sys/class/net/" + nic + "/queues/tx-*");
        }
    }

    private static List<String> queues(CheckContext context, String nic, String prefix) {
        return context.sysfs().names("class/net/" + nic + "/queues").stream()
                .filter(name -> name.startsWith(prefix))
                .toList();
    }

    private static CpuList masks(CheckContext context, String nic, String prefix, String file) {
        return queues(context, nic, prefix).stream()
                .map(queue -> "class/net/" + nic + "/queues/" + queue + "/" + file)
                .flatMap(path -> context.sysfs().parsed(path, "no mask", CpuList::parseMask).stream())
                .reduce(CpuList.of(), CpuList::union);
    }

    /** Formats a mask for the kernel. The mask is in hexadecimal, with commas between groups of 32 bits. */
    private static String hex(CpuList cpus) {
        String digits = cpus.cpus()
                .mapToObj(BigInteger.ZERO::setBit)
                .reduce(BigInteger.ZERO, BigInteger::or)
                .toString(16);
        StringBuilder mask = new StringBuilder(digits);
        for (int end = digits.length() - WORD_DIGITS; end > 0; end -= WORD_DIGITS) {
            mask.insert(end, ',');
        }
        return mask.toString();
    }
}
