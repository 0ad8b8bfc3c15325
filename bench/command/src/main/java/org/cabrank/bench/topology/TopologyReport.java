package org.cabrank.bench.topology;

import java.util.ArrayList;
import java.util.List;
import org.cabrank.affinity.CpuList;
import org.cabrank.affinity.limits.ProcessLimits;
import org.cabrank.affinity.placement.PlacementPlan;
import org.cabrank.affinity.topology.Topology;
import org.cabrank.pinning.MachineSnapshot;

/**
 * The machine as JSON. A set of CPUs or nodes has the format of the kernel, such as {@code 0-3,8}. The number -1 means unknown or none.
 *
 * @param format grows when the meaning of a field changes
 * @param plan null if no plan was requested
 */
public record TopologyReport(
        int format,
        MachineReport machine,
        List<CpuReport> cpus,
        List<NodeReport> nodes,
        List<InterfaceReport> interfaces,
        ProcessReport process,
        PlanReport plan,
        List<String> notes) {
    public static final int FORMAT = 1;

    /** An empty component means that the value is unknown. */
    public record MachineReport(String modelName, String architecture, String kernelRelease) {}

    /** @param shards shards that the plan places on this CPU */
    public record CpuReport(
            int id,
            boolean online,
            boolean usable,
            int core,
            int thread,
            int cluster,
            int l2,
            int l3,
            int pkg,
            int node,
            String kind,
            int capacity,
            long maxFrequencyKhz,
            boolean isolated,
            boolean nohzFull,
            List<Integer> shards) {}

    /** @param distances distance to each node, in the order of the nodes */
    public record NodeReport(int id, String cpus, long totalBytes, long freeBytes, List<Integer> distances) {}

    /** @param device empty if the interface has no device */
    public record InterfaceReport(
            String name, String device, int node, boolean up, List<Integer> interrupts, String interruptCpus) {}

    /** @param cpuQuota null if there is no quota */
    public record ProcessReport(
            String affinityMask,
            String cpusetCpus,
            String cpusetMems,
            Double cpuQuota,
            int jvmProcessors,
            String usable) {}

    /** @param summary description of the plan */
    public record PlanReport(String placement, String summary, List<ShardReport> shards, List<String> warnings) {
        public static PlanReport of(PlacementPlan plan) {
            return new PlanReport(
                    plan.placement(),
                    plan.summary(),
                    plan.shards().stream()
                            .map(shard -> new ShardReport(
                                    shard.shard(),
                                    shard.cpus().toString(),
                                    shard.threads().stream()
                                            .map(CpuList::toString)
                                            .toList(),
                                    shard.node(),
                                    shard.why()))
                            .toList(),
                    plan.warnings());
        }
    }

    /** @param threads CPUs of each thread; empty if the threads are not pinned */
    public record ShardReport(int shard, String cpus, List<String> threads, int node, String why) {}

    public static TopologyReport of(MachineSnapshot snapshot, PlacementPlan plan) {
        Topology topology = snapshot.topology();
        List<String> notes = new ArrayList<>(topology.notes());
        notes.addAll(snapshot.limits().notes());
        return new TopologyReport(
                FORMAT,
                new MachineReport(
                        topology.machine().modelName(),
                        topology.machine().architecture(),
                        topology.machine().kernelRelease()),
                cpus(snapshot, plan),
                topology.nodes().stream()
                        .map(node -> new NodeReport(
                                node.id(),
                                node.cpus().toString(),
                                node.totalBytes(),
                                node.freeBytes(),
                                node.distances()))
                        .toList(),
                topology.interfaces().stream()
                        .map(nic -> new InterfaceReport(
                                nic.name(),
                                nic.device(),
                                nic.node(),
                                nic.up(),
                                nic.interrupts().stream().map(irq -> irq.irq()).toList(),
                                nic.interruptCpus().toString()))
                        .toList(),
                process(snapshot.limits()),
                plan == null ? null : PlanReport.of(plan),
                notes);
    }

    private static List<CpuReport> cpus(MachineSnapshot snapshot, PlacementPlan plan) {
        Marks marks = new Marks(snapshot.limits(), plan);
        return snapshot.topology().cpus().stream()
                .map(cpu -> new CpuReport(
                        cpu.id(),
                        cpu.online(),
                        marks.usable(cpu),
                        cpu.core(),
                        cpu.thread(),
                        cpu.cluster(),
                        cpu.l2(),
                        cpu.l3(),
                        cpu.pkg(),
                        cpu.node(),
                        cpu.kind().name(),
                        cpu.capacity(),
                        cpu.maxFrequencyKhz(),
                        cpu.isolated(),
                        cpu.nohzFull(),
                        marks.shardNumbers(cpu)))
                .toList();
    }

    private static ProcessReport process(ProcessLimits limits) {
        return new ProcessReport(
                limits.affinityMask().toString(),
                limits.cpusetCpus().toString(),
                limits.cpusetMems().toString(),
                limits.limitedByQuota() ? limits.cpuQuota() : null,
                limits.jvmProcessors(),
                limits.usable().toString());
    }
}
