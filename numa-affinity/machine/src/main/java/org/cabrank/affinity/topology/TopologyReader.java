package org.cabrank.affinity.topology;

import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.cabrank.affinity.CpuList;
import org.cabrank.affinity.files.FileTree;
import org.cabrank.affinity.files.Notes;

/**
 * Reads what the machine is made of, from sysfs and procfs or copies of them, so that machines can be looked at which are
 * not here. Any thread may use it; it takes a system call or three for each of some 20 files of a CPU.
 */
public final class TopologyReader {
    /** Mount point of sysfs. */
    public static final Path SYSFS = Path.of("/sys");

    /** Mount point of procfs. */
    public static final Path PROCFS = Path.of("/proc");

    private final Path sysfsRoot;
    private final Path procfsRoot;

    /** Reads this machine. */
    public TopologyReader() {
        this(SYSFS, PROCFS);
    }

    /** @param sysfsRoot with the directories {@code devices} and {@code class} */
    public TopologyReader(Path sysfsRoot, Path procfsRoot) {
        this.sysfsRoot = Objects.requireNonNull(sysfsRoot);
        this.procfsRoot = Objects.requireNonNull(procfsRoot);
    }

    /**
     * Reads the machine as it is now. Missing information is assumed to be flat (a core for each CPU, one package, one
     * node, no shared cache) and reported in {@link Topology#notes}, because sandboxes show little, and a service must
     * start there as well.
     */
    public Topology read() {
        return read(CpuList.of());
    }

    /**
     * The machine as it is now, as {@link #read()} returns it. CPUs of the mask are online, whatever the files say: LXCFS
     * (Proxmox, LXD) shows containers a file with other CPUs than theirs.
     *
     * @param affinityMask that of a process on the machine, as sched_getaffinity(2) returns it; empty: that of the process
     *     {@code self} of procfs counts, as far as other files do not contradict
     */
    public Topology read(CpuList affinityMask) {
        Notes notes = new Notes();
        FileTree sysfs = new FileTree(sysfsRoot, notes);
        FileTree procfs = new FileTree(procfsRoot, notes);
        CpuPresence presence = CpuPresence.read(sysfs, procfs, affinityMask);
        NodeReader nodeReader = new NodeReader(sysfs, procfs, presence.online());
        List<MemoryNode> nodes = nodeReader.nodes();
        List<Cpu> cpus = new CpuReader(sysfs, presence, nodeReader.nodeOfCpus(nodes)).cpus();
        return new Topology(
                new MachineReader(procfs).machine(),
                cpus,
                nodes,
                new InterfaceReader(sysfs, procfs).interfaces(),
                notes.list());
    }
}
