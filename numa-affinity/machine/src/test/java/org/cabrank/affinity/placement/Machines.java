package org.cabrank.affinity.placement;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntUnaryOperator;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.cabrank.affinity.CpuList;
import org.cabrank.affinity.limits.ProcessLimits;
import org.cabrank.affinity.topology.CoreKind;
import org.cabrank.affinity.topology.Cpu;
import org.cabrank.affinity.topology.Interrupt;
import org.cabrank.affinity.topology.MachineInfo;
import org.cabrank.affinity.topology.MemoryNode;
import org.cabrank.affinity.topology.NetworkInterface;
import org.cabrank.affinity.topology.Topology;

/** Regular machines: every package has as many nodes, every node as many L3 domains, and so on. */
final class Machines {
    private final int packages;
    private final int nodesPerPackage;
    private final int l3PerNode;
    private final int coresPerL3;
    private final int threadsPerCore;

    private Machines(int packages, int nodesPerPackage, int l3PerNode, int coresPerL3, int threadsPerCore) {
        this.packages = packages;
        this.nodesPerPackage = nodesPerPackage;
        this.l3PerNode = l3PerNode;
        this.coresPerL3 = coresPerL3;
        this.threadsPerCore = threadsPerCore;
    }

    /** CPUs are numbered as Linux does on x86: the first hardware thread of every core, then the second of every core. */
    static Topology regular(int packages, int nodesPerPackage, int l3PerNode, int coresPerL3, int threadsPerCore) {
        return new Machines(packages, nodesPerPackage, l3PerNode, coresPerL3, threadsPerCore).topology();
    }

    private Topology topology() {
        int nodes = packages * nodesPerPackage;
        int coresPerNode = l3PerNode * coresPerL3;
        int cores = nodes * coresPerNode;
        List<Cpu> cpus = new ArrayList<>();
        for (int id = 0; id < cores * threadsPerCore; id++) {
            int core = id % cores;
            int node = core / coresPerNode;
            cpus.add(new Cpu(
                    id,
                    true,
                    core,
                    id / cores,
                    -1,
                    core,
                    core / coresPerL3,
                    node / nodesPerPackage,
                    node,
                    CoreKind.UNIFORM,
                    1_024,
                    0,
                    false,
                    false));
        }
        List<MemoryNode> memory = new ArrayList<>();
        for (int node = 0; node < nodes; node++) {
            memory.add(memory(node, cpus, 64L << 30, nodes));
        }
        return new Topology(new MachineInfo("", "", ""), cpus, memory, List.of(), List.of());
    }

    private MemoryNode memory(int node, List<Cpu> cpus, long bytes, int nodes) {
        int[] own = cpus.stream()
                .filter(cpu -> cpu.node() == node)
                .mapToInt(Cpu::id)
                .toArray();
        List<Integer> distances = IntStream.range(0, nodes)
                .mapToObj(other -> other == node ? 10 : other / nodesPerPackage == node / nodesPerPackage ? 12 : 32)
                .toList();
        return new MemoryNode(node, CpuList.of(own), bytes, bytes, distances);
    }

    /** {@code machine} with each of its CPUs as {@code change} makes it. */
    static Topology with(Topology machine, UnaryOperator<Cpu> change) {
        return new Topology(
                machine.machine(),
                machine.cpus().stream().map(change).toList(),
                machine.nodes(),
                machine.interfaces(),
                List.of());
    }

    /** {@code cpu} but for what these tests tell apart. */
    private static Cpu like(Cpu cpu, boolean online, int l3, CoreKind kind, int capacity, boolean isolated) {
        return new Cpu(
                cpu.id(),
                online,
                cpu.core(),
                cpu.thread(),
                cpu.cluster(),
                cpu.l2(),
                l3,
                cpu.pkg(),
                cpu.node(),
                kind,
                capacity,
                cpu.maxFrequencyKhz(),
                isolated,
                cpu.nohzFull());
    }

    static Topology isolating(Topology machine, String cpus) {
        CpuList isolated = CpuList.parse(cpus);
        return with(
                machine,
                cpu -> like(cpu, cpu.online(), cpu.l3(), cpu.kind(), cpu.capacity(), isolated.contains(cpu.id())));
    }

    static Topology offline(Topology machine, String cpus) {
        CpuList off = CpuList.parse(cpus);
        return with(
                machine,
                cpu -> like(cpu, !off.contains(cpu.id()), cpu.l3(), cpu.kind(), cpu.capacity(), cpu.isolated()));
    }

    static Topology withoutL3(Topology machine) {
        return with(machine, cpu -> like(cpu, cpu.online(), -1, cpu.kind(), cpu.capacity(), cpu.isolated()));
    }

    /** The CPUs in {@code cpus} are efficiency cores, the rest performance cores. */
    static Topology hybrid(Topology machine, String cpus) {
        CpuList efficient = CpuList.parse(cpus);
        return with(
                machine,
                cpu -> efficient.contains(cpu.id())
                        ? like(cpu, cpu.online(), cpu.l3(), CoreKind.EFFICIENCY, 512, cpu.isolated())
                        : like(cpu, cpu.online(), cpu.l3(), CoreKind.PERFORMANCE, 1_024, cpu.isolated()));
    }

    static Topology withInterface(Topology machine, String name, int node, String... interrupts) {
        List<Interrupt> irqs = new ArrayList<>();
        for (String bound : interrupts) {
            irqs.add(new Interrupt(100 + irqs.size(), name, CpuList.parse(bound), CpuList.of()));
        }
        return new Topology(
                machine.machine(),
                machine.cpus(),
                machine.nodes(),
                List.of(new NetworkInterface(name, "0000:01:00.0", node, irqs, true)),
                List.of());
    }

    /** A virtual machine that has a package for each of its CPUs, numbered anew. */
    static Topology withAPackageForEachCpu(Topology machine, IntUnaryOperator packageOf) {
        return with(
                machine,
                cpu -> new Cpu(
                        cpu.id(),
                        cpu.online(),
                        cpu.core(),
                        cpu.thread(),
                        cpu.cluster(),
                        cpu.l2(),
                        cpu.id(),
                        packageOf.applyAsInt(cpu.id()),
                        cpu.node(),
                        cpu.kind(),
                        cpu.capacity(),
                        cpu.maxFrequencyKhz(),
                        cpu.isolated(),
                        cpu.nohzFull()));
    }

    /** The capacity of each CPU, from 1 to 1,024, of kinds that stay. */
    static Topology withCapacities(Topology machine, IntUnaryOperator capacityOf) {
        return with(
                machine,
                cpu -> like(cpu, cpu.online(), cpu.l3(), cpu.kind(), capacityOf.applyAsInt(cpu.id()), cpu.isolated()));
    }

    /** Distances between the nodes, one row for each. */
    static Topology withDistances(Topology machine, int[][] distances) {
        List<MemoryNode> nodes = machine.nodes().stream()
                .map(node -> new MemoryNode(
                        node.id(),
                        node.cpus(),
                        node.totalBytes(),
                        node.freeBytes(),
                        IntStream.of(distances[node.id()]).boxed().toList()))
                .toList();
        return new Topology(machine.machine(), machine.cpus(), nodes, machine.interfaces(), List.of());
    }

    /** Node {@code node} has no memory. */
    static Topology withoutMemory(Topology machine, int node) {
        List<MemoryNode> nodes = machine.nodes().stream()
                .map(other -> other.id() != node ? other : new MemoryNode(node, other.cpus(), 0, 0, other.distances()))
                .toList();
        return new Topology(machine.machine(), machine.cpus(), nodes, machine.interfaces(), List.of());
    }

    /** A process that may use every online CPU that is not isolated. */
    static ProcessLimits unlimited(Topology machine) {
        return allowed(
                machine,
                CpuList.of(machine.cpus().stream()
                                .filter(cpu -> cpu.online() && !cpu.isolated())
                                .mapToInt(Cpu::id)
                                .toArray())
                        .toString());
    }

    /** A process whose affinity mask is {@code mask}. */
    static ProcessLimits allowed(Topology machine, String mask) {
        return limits(machine, mask, Double.POSITIVE_INFINITY);
    }

    /** A process that has the time of {@code quota} CPUs. */
    static ProcessLimits limits(Topology machine, String mask, double quota) {
        CpuList all = CpuList.of(machine.cpus().stream().mapToInt(Cpu::id).toArray());
        CpuList usable = CpuList.parse(mask);
        return new ProcessLimits(
                usable, all, CpuList.of(), quota, usable.size(), usable, CpuList.of(), CpuList.of(), List.of());
    }
}
