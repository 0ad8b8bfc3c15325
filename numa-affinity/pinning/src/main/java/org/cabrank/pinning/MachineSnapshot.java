package org.cabrank.pinning;

import java.nio.file.Path;
import java.util.Objects;
import org.cabrank.affinity.Affinity;
import org.cabrank.affinity.AffinityException;
import org.cabrank.affinity.CpuList;
import org.cabrank.affinity.limits.LimitsReader;
import org.cabrank.affinity.limits.ProcessLimits;
import org.cabrank.affinity.topology.Topology;
import org.cabrank.affinity.topology.TopologyReader;
import org.cabrank.kernel.Kernel;

/** The state of the machine at one moment, and the limits of this process. A plan is made from a snapshot. */
public record MachineSnapshot(Topology topology, ProcessLimits limits) {
    public MachineSnapshot {
        Objects.requireNonNull(topology, "topology");
        Objects.requireNonNull(limits, "limits");
    }

    /** Reads this machine. The notes in {@code topology} and {@code limits} report missing and malformed files. */
    public static MachineSnapshot ofThisMachine(Kernel kernel) {
        return read(kernel, TopologyReader.SYSFS, TopologyReader.PROCFS);
    }

    /** Reads the files below these roots. They are the files of this machine, or copies from another machine. */
    public static MachineSnapshot read(Kernel kernel, Path sysfsRoot, Path procfsRoot) {
        boolean here = TopologyReader.isHere(sysfsRoot, procfsRoot);
        Topology topology = new TopologyReader(sysfsRoot, procfsRoot).read(here ? affinityMask(kernel) : CpuList.of());
        ProcessLimits limits = new LimitsReader(kernel, sysfsRoot, procfsRoot).read(topology);
        return new MachineSnapshot(topology.isolating(limits.isolated()), limits);
    }

    private static CpuList affinityMask(Kernel kernel) {
        try {
            return new Affinity(kernel).ofProcess();
        } catch (AffinityException e) {
            // LimitsReader makes the same call later, and notes the error.
            return CpuList.of();
        }
    }
}
