package org.cabrank.affinity.topology;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.cabrank.affinity.CpuList;
import org.cabrank.affinity.files.FileTree;
import org.cabrank.affinity.files.Notes;

/** Reads a machine from sysfs and procfs, or from copies of them. Reads some 20 files for each CPU. Thread-safe. */
public final class TopologyReader {
    public static final Path SYSFS = Path.of("/sys");

    public static final Path PROCFS = Path.of("/proc");

    private final Path sysfsRoot;
    private final Path procfsRoot;

    /** Returns true if the roots are this machine's own, not copies. */
    public static boolean isHere(Path sysfsRoot, Path procfsRoot) {
        return sysfsRoot.equals(SYSFS) && procfsRoot.equals(PROCFS);
    }

    public TopologyReader() {
        this(SYSFS, PROCFS);
    }

    /** @param sysfsRoot with the directories {@code devices} and {@code class} */
    public TopologyReader(Path sysfsRoot, Path procfsRoot) {
        this.sysfsRoot = Objects.requireNonNull(sysfsRoot);
        this.procfsRoot = Objects.requireNonNull(procfsRoot);
    }

    /**
     * Reads the machine now. If information is missing, assumes a flat machine (a core for each CPU, one package, one node, no shared
     * cache), and reports this in {@link Topology#notes}. Never throws, because a service must start even in a sandbox that shows little.
     */
    public Topology read() {
        return read(CpuList.of());
    }

    /**
     * Like {@link #read()}, but CPUs of the mask always count as online. In a container, LXCFS (Proxmox, LXD) shows a list of online CPUs
     * with other numbers.
     *
     * @param affinityMask mask of a process on the machine, from sched_getaffinity(2). If it is empty, the mask in procfs's {@code self}
     *     is used, unless other files contradict this mask
     */
    public Topology read(CpuList affinityMask) {
        Notes notes = new Notes();
        FileTree sysfs = new FileTree(sysfsRoot, notes);
        FileTree procfs = new FileTree(procfsRoot, notes);
        CpuPresence presence = CpuPresence.read(sysfs, procfs, affinityMask);
        NodeReader nodeReader = new NodeReader(sysfs, procfs, presence.online());
        List<MemoryNode> nodes = nodeReader.nodes();
        return new Topology(
                new MachineReader(procfs).machine(),
                cpus(sysfs, presence, nodeReader.nodeOfCpus(nodes)),
                nodes,
                new InterfaceReader(sysfs, procfs).interfaces(),
                notes.list());
    }

    private static List<Cpu> cpus(FileTree sysfs, CpuPresence presence, Map<Integer, Integer> nodes) {
        CpuDomains domains = CpuDomains.read(sysfs, presence.online());
        CoreSpeeds speeds = CoreSpeeds.read(sysfs, presence.online(), domains);
        Map<Integer, Integer> threadsOfCore = new HashMap<>();
        List<Cpu> cpus = new ArrayList<>();
        for (int cpu : presence.present().cpus().toArray()) {
            boolean online = presence.online().contains(cpu);
            int core = domains.cores().of(cpu);
            cpus.add(new Cpu(
                    cpu,
                    online,
                    core,
                    online ? threadsOfCore.merge(core, 1, Integer::sum) - 1 : -1,
                    domains.clusters().of(cpu),
                    domains.l2().of(cpu),
                    domains.l3().of(cpu),
                    domains.packages().of(cpu),
                    nodes.getOrDefault(cpu, -1),
                    speeds.kind(cpu),
                    speeds.capacity(cpu),
                    online ? speeds.maxFrequencyKhz(cpu) : 0,
                    presence.isolated().contains(cpu),
                    presence.nohzFull().contains(cpu)));
        }
        return cpus;
    }
}
