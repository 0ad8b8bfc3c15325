package org.cabrank.affinity.topology;

import java.util.List;
import java.util.Map;
import org.cabrank.affinity.CpuList;
import org.cabrank.affinity.files.FileTree;

/** Puts a CPU together from what several places say of it. */
final class CpuReader {
    private static final int UNKNOWN = -1;

    private final CpuPresence presence;
    private final CpuDomains domains;
    private final CoreSpeeds speeds;
    private final Map<Integer, Integer> nodes;

    /** @param nodes the node of each CPU whose node is known */
    CpuReader(FileTree sysfs, CpuPresence presence, Map<Integer, Integer> nodes) {
        this.presence = presence;
        this.nodes = nodes;
        domains = CpuDomains.read(sysfs, presence.online());
        speeds = CoreSpeeds.read(sysfs, presence.online(), domains);
    }

    List<Cpu> cpus() {
        int[] threadsOfCore = new int[CpuList.CPUS_MAX];
        return presence.present()
                .cpus()
                .mapToObj(cpu -> presence.online().contains(cpu)
                        ? online(cpu, threadsOfCore[domains.cores().of(cpu)]++)
                        : offline(cpu))
                .toList();
    }

    private Cpu online(int cpu, int thread) {
        return new Cpu(
                cpu,
                true,
                domains.cores().of(cpu),
                thread,
                domains.clusters().of(cpu),
                domains.l2().of(cpu),
                domains.l3().of(cpu),
                domains.packages().of(cpu),
                nodes.getOrDefault(cpu, UNKNOWN),
                speeds.kind(cpu),
                speeds.capacity(cpu),
                speeds.maxFrequencyKhz(cpu),
                presence.isolated().contains(cpu),
                presence.nohzFull().contains(cpu));
    }

    private Cpu offline(int cpu) {
        return new Cpu(
                cpu,
                false,
                UNKNOWN,
                UNKNOWN,
                UNKNOWN,
                UNKNOWN,
                UNKNOWN,
                UNKNOWN,
                UNKNOWN,
                CoreKind.UNIFORM,
                Cpu.CAPACITY_MAX,
                0,
                presence.isolated().contains(cpu),
                presence.nohzFull().contains(cpu));
    }
}
