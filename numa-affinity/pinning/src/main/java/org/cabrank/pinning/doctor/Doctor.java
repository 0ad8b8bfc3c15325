package org.cabrank.pinning.doctor;

import java.util.Comparator;
import java.util.List;

/** Runs all checks of the machine, the process and the JVM. */
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

    /** Returns one finding for each check, the most severe first. */
    public static List<Finding> examine(CheckContext context) {
        return CHECKS.stream()
                .map(check -> check.look(context))
                .sorted(Comparator.comparing(Finding::severity))
                .toList();
    }
}
