package org.cabrank.affinity.limits;

import org.cabrank.affinity.topology.TopologyReader;
import org.cabrank.kernel.KernelUnavailableException;
import org.cabrank.kernel.Kernels;

/** A JVM that says what it may use, to be started under limits. */
final class LimitsMain {
    private LimitsMain() {}

    public static void main(String... arguments) throws KernelUnavailableException {
        System.out.println(text(new LimitsReader(Kernels.system()).read(new TopologyReader().read())));
    }

    static String text(ProcessLimits limits) {
        return "mask " + limits.affinityMask() + " cpuset " + limits.cpusetCpus() + " quota " + limits.cpuQuota()
                + " is "
                + limits.quotaCpus() + " jvm " + limits.jvmProcessors() + " usable " + limits.usable() + " notes "
                + limits.notes();
    }
}
