package org.cabrank.bench.topology;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.cabrank.affinity.CpuList;
import org.cabrank.affinity.limits.ProcessLimits;
import org.cabrank.affinity.topology.CoreKind;
import org.cabrank.affinity.topology.Cpu;
import org.cabrank.affinity.topology.MachineInfo;
import org.cabrank.affinity.topology.MemoryNode;
import org.cabrank.affinity.topology.NetworkInterface;
import org.cabrank.affinity.topology.Topology;
import org.cabrank.bench.text.Counted;

final class Words {
    private static final double GIB = 1L << 30;
    private static final double MIB = 1L << 20;

    private Words() {}

    /** Returns text such as {@code AMD EPYC, x86_64, Linux 6.18.1}. */
    static String machine(Topology topology) {
        MachineInfo machine = topology.machine();
        return String.join(
                ", ",
                Stream.of(
                                machine.modelName(),
                                machine.architecture(),
                                machine.kernelRelease().isEmpty() ? "" : "Linux " + machine.kernelRelease())
                        .filter(word -> !word.isEmpty())
                        .toList());
    }

    /** Returns text such as {@code 64 CPUs online, 32 cores, 4 L3 caches, 2 packages, 2 memory nodes with 256 GiB}. */
    static String parts(Topology topology) {
        List<String> parts = new ArrayList<>();
        parts.add(Counted.of(topology.online().size(), "CPU") + " online");
        parts.add(Counted.of(topology.cores().size(), "core"));
        addCount(parts, topology.l3Domains().size(), "L3 cache");
        addCount(parts, topology.packages().size(), "package");
        long bytes = topology.nodes().stream()
                .mapToLong(node -> Math.max(0, node.totalBytes()))
                .sum();
        parts.add(Counted.of(topology.nodes().size(), "memory node") + (bytes > 0 ? " with " + size(bytes) : ""));
        return String.join(", ", parts);
    }

    private static void addCount(List<String> parts, int count, String noun) {
        if (count > 0) {
            parts.add(Counted.of(count, noun));
        }
    }

    static String limits(ProcessLimits limits) {
        String quota = limits.limitedByQuota()
                ? "and the time of " + String.format(Locale.ROOT, "%.2f", limits.cpuQuota()) + " CPUs"
                : "without a quota";
        String jvm =
                limits.jvmProcessors() > 0 ? "; the JVM counts " + Counted.of(limits.jvmProcessors(), "processor") : "";
        return "this process may use CPU " + limits.usable() + ", " + quota + jvm;
    }

    /** Returns text such as {@code 64.0 GiB, 12.3 GiB free}. */
    static String memory(MemoryNode node) {
        if (node.totalBytes() == 0) {
            return "no memory";
        }
        if (node.totalBytes() < 0) {
            return "memory unknown";
        }
        return size(node.totalBytes()) + (node.freeBytes() < 0 ? "" : ", " + size(node.freeBytes()) + " free");
    }

    /** Returns text such as {@code node 1, up, 0000:41:00.0, 8 interrupts on CPU 0-7}. */
    static String of(NetworkInterface nic) {
        List<String> words = new ArrayList<>();
        words.add(nic.node() < 0 ? "node unknown" : "node " + nic.node());
        words.add(nic.up() ? "up" : "down");
        words.add(nic.device());
        CpuList cpus = nic.interruptCpus();
        words.add(
                nic.interrupts().isEmpty()
                        ? "its interrupts are not known"
                        : Counted.of(nic.interrupts().size(), "interrupt") + (cpus.isEmpty() ? "" : " on CPU " + cpus));
        return String.join(", ", words);
    }

    static List<NetworkInterface> devices(Topology topology) {
        return topology.interfaces().stream()
                .filter(nic -> !nic.device().isEmpty())
                .toList();
    }

    static List<MemoryNode> memoryOnly(Topology topology) {
        return topology.nodes().stream().filter(node -> node.cpus().isEmpty()).toList();
    }

    static CpuList offline(Topology topology) {
        return topology.present().without(topology.online());
    }

    static String kind(Cpu cpu) {
        return switch (cpu.kind()) {
            case UNIFORM -> "";
            case PERFORMANCE -> "P";
            case MIDDLE -> "M";
            case EFFICIENCY -> "E";
            case LOW_POWER -> "L";
        };
    }

    /** Returns explanations of the letters of {@link #kind(Cpu)}. Empty if all cores are of one kind. */
    static List<String> kinds(Topology topology) {
        return topology.cpus().stream()
                .filter(cpu -> cpu.online() && cpu.kind() != CoreKind.UNIFORM)
                .sorted(Comparator.comparing(Cpu::kind))
                .map(cpu -> kind(cpu) + " "
                        + cpu.kind().name().toLowerCase(Locale.ROOT).replace('_', ' ') + " core")
                .distinct()
                .toList();
    }

    /** {@code 64.0 GiB}. */
    static String size(long bytes) {
        return bytes < GIB
                ? String.format(Locale.ROOT, "%.0f MiB", bytes / MIB)
                : String.format(Locale.ROOT, bytes < 100 * GIB ? "%.1f GiB" : "%,.0f GiB", bytes / GIB);
    }
}
