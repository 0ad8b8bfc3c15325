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

/**
 * The machine and the limits of this process at one moment: the input of a plan.
 *
 * @param topology the machine
 * @param limits the part of the machine that this process may use
 */
public record MachineSnapshot(Topology topology, ProcessLimits limits) {
    public MachineSnapshot {
        Objects.requireNonNull(topology, "topology");
        Objects.requireNonNull(limits, "limits");
    }

    /** Reads the machine and the limits of this process. Missing and malformed files are reported in the notes of both. */
    public static MachineSnapshot ofThisMachine(Kernel kernel) {
        return read(kernel, TopologyReader.SYSFS, TopologyReader.PROCFS);
    }

    /** Reads the files below these roots: those of this machine, or copies from another machine. */
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
            // The notes of the limits, whose reader asks the kernel too, report the error.
            return CpuList.of();
        }
    }
}
