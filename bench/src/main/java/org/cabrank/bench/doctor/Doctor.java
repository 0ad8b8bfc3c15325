package org.cabrank.bench.doctor;

import java.util.Comparator;
import java.util.List;

/** Looks at everything. */
public final class Doctor {
    private static final List<Check> CHECKS = List.of(
            new PlanCheck(),
            new RingCheck(),
            new KernelCheck(),
            LimitChecks::memlock,
            LimitChecks::nofile,
            LimitChecks::quota,
            SchedulingChecks::throttling,
            SchedulingChecks::partition,
            CpuChecks::smt,
            CpuChecks::isolated,
            CpuChecks::governor,
            CoreChecks::energy,
            CoreChecks::kinds,
            MachineChecks::idleStates,
            MachineChecks::clock,
            new InterruptCheck(),
            new ManagedInterruptCheck(),
            new SteeringCheck(),
            MachineChecks::memory,
            MemoryChecks::hugePages,
            MemoryChecks::compaction,
            MemoryChecks::balancing,
            JvmChecks::binding,
            JvmChecks::nativeAccess,
            JvmChecks::collector,
            JvmChecks::preTouch,
            JvmChecks::numa,
            JvmChecks::heap);

    private Doctor() {}

    /** The findings, the gravest first. */
    public static List<Finding> examine(Patient patient) {
        return CHECKS.stream()
                .map(check -> check.look(patient))
                .sorted(Comparator.comparing(Finding::severity))
                .toList();
    }
}
