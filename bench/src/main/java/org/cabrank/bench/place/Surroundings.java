package org.cabrank.bench.place;

import java.nio.file.Path;
import org.cabrank.affinity.Affinity;
import org.cabrank.affinity.AffinityException;
import org.cabrank.affinity.CpuList;
import org.cabrank.affinity.limits.LimitsReader;
import org.cabrank.affinity.limits.ProcessLimits;
import org.cabrank.affinity.topology.Topology;
import org.cabrank.affinity.topology.TopologyReader;
import org.cabrank.kernel.Kernel;

/**
 * What there is to be planned with.
 *
 * @param topology the machine
 * @param limits what this process may use of it
 */
public record Surroundings(Topology topology, ProcessLimits limits) {
    /** Those of this process. What is missing or malformed is said in their notes. */
    public static Surroundings ofThisMachine(Kernel kernel) {
        return read(kernel, TopologyReader.SYSFS, TopologyReader.PROCFS);
    }

    /** Those that these roots show: this machine's, or copies of another's. */
    public static Surroundings read(Kernel kernel, Path sysfsRoot, Path procfsRoot) {
        boolean here = sysfsRoot.equals(TopologyReader.SYSFS) && procfsRoot.equals(TopologyReader.PROCFS);
        Topology topology = new TopologyReader(sysfsRoot, procfsRoot).read(here ? affinityMask(kernel) : CpuList.of());
        ProcessLimits limits = new LimitsReader(kernel, sysfsRoot, procfsRoot).read(topology);
        return new Surroundings(topology.isolating(limits.isolated()), limits);
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
