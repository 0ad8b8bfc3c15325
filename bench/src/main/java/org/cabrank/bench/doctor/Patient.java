package org.cabrank.bench.doctor;

import java.nio.file.Path;
import java.util.Objects;
import org.cabrank.affinity.CpuList;
import org.cabrank.affinity.limits.ProcessLimits;
import org.cabrank.affinity.placement.PlacementPlan;
import org.cabrank.affinity.topology.Topology;
import org.cabrank.bench.place.Surroundings;

/** What is looked at. */
public final class Patient {
    private final Surroundings surroundings;
    private final PlacementPlan plan;
    private final KernelFiles files;
    private final JvmFacts jvm;
    private final RingTrial ring;

    /** @param plan null: none is given */
    public Patient(
            Surroundings surroundings, PlacementPlan plan, Path sysfs, Path procfs, JvmFacts jvm, RingTrial ring) {
        this.surroundings = Objects.requireNonNull(surroundings);
        this.plan = plan;
        this.files = new KernelFiles(sysfs, procfs);
        this.jvm = Objects.requireNonNull(jvm);
        this.ring = Objects.requireNonNull(ring);
    }

    Topology topology() {
        return surroundings.topology();
    }

    ProcessLimits limits() {
        return surroundings.limits();
    }

    KernelFiles files() {
        return files;
    }

    JvmFacts jvm() {
        return jvm;
    }

    RingTrial ring() {
        return ring;
    }

    /** Null: none is given. */
    PlacementPlan plan() {
        return plan;
    }

    /** The CPUs that shards will run on: the plan's, or, without a plan that pins, those that this process may use. */
    CpuList shardCpus() {
        return plan == null || plan.cpus().isEmpty() ? limits().usable() : plan.cpus();
    }
}
