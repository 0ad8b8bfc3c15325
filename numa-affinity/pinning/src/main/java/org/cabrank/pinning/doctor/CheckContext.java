package org.cabrank.pinning.doctor;

import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.cabrank.affinity.CpuList;
import org.cabrank.affinity.files.FileTree;
import org.cabrank.affinity.files.Notes;
import org.cabrank.affinity.limits.LimitsReader;
import org.cabrank.affinity.limits.ProcessLimits;
import org.cabrank.affinity.placement.PlacementPlan;
import org.cabrank.affinity.topology.Topology;
import org.cabrank.pinning.MachineSnapshot;

/** Input of the checks: machine, limits, plan, kernel files, JVM flags and the result of creating a ring. */
public final class CheckContext {
    private final MachineSnapshot snapshot;
    private final PlacementPlan plan;
    private final FileTree sysfs;
    private final FileTree procfs;
    private final JvmFacts jvm;
    private final RingTrial ring;

    /** @param plan null if the caller has no plan */
    public CheckContext(
            MachineSnapshot snapshot, PlacementPlan plan, Path sysfs, Path procfs, JvmFacts jvm, RingTrial ring) {
        this.snapshot = Objects.requireNonNull(snapshot);
        this.plan = plan;
        Notes unused = new Notes(); // the findings report missing files
        this.sysfs = new FileTree(sysfs, unused);
        this.procfs = new FileTree(procfs, unused);
        this.jvm = Objects.requireNonNull(jvm);
        this.ring = Objects.requireNonNull(ring);
    }

    Topology topology() {
        return snapshot.topology();
    }

    ProcessLimits limits() {
        return snapshot.limits();
    }

    FileTree sysfs() {
        return sysfs;
    }

    FileTree procfs() {
        return procfs;
    }

    /** The texts of the files {@code name} of the process's cgroups and of those above them, the innermost first. */
    List<String> cgroupFiles(String name) {
        return LimitsReader.cgroupFiles(sysfs.path(""), procfs.path(""), name);
    }

    JvmFacts jvm() {
        return jvm;
    }

    RingTrial ring() {
        return ring;
    }

    /** The plan; null if there is none. */
    PlacementPlan plan() {
        return plan;
    }

    /** Returns true if there is a plan that pins threads. */
    boolean isPinned() {
        return plan != null && !plan.cpus().isEmpty();
    }

    /** Returns the CPUs of the shards: those of the plan, or all usable CPUs if no plan pins threads. */
    CpuList shardCpus() {
        return isPinned() ? plan.cpus() : limits().usable();
    }
}
