package org.cabrank.pinning.doctor;

import java.util.Comparator;
import java.util.List;

/** Runs all checks of the machine, the process and the JVM. */
public final class Doctor {
    private static final List<Check> CHECKS = List.of(
            new Check("placement", "placement", PlanCheck::look),
            new Check("io-uring", "io_uring", RingCheck::look),
            new Check("kernel", "kernel", KernelCheck::look),
            new Check("memlock", "locked memory", LimitChecks::memlock),
            new Check("nofile", "descriptors", LimitChecks::nofile),
            new Check("cpu-quota", "CPU quota", LimitChecks::quota),
            new Check("cpu-throttling", "CPU throttling", SchedulingChecks::throttling),
            new Check("cpuset-partition", "cpuset partition", SchedulingChecks::partition),
            new Check("smt", "SMT", CpuChecks::smt),
            new Check("isolation", "isolated CPUs", CpuChecks::isolated),
            new Check("governor", "frequency governor", CpuChecks::governor),
            new Check("energy-preference", "energy preference", CoreChecks::energy),
            new Check("core-kinds", "kinds of cores", CoreChecks::kinds),
            new Check("idle-states", "idle states", MachineChecks::idleStates),
            new Check("clocksource", "clock source", MachineChecks::clock),
            Check.ofPlan("interrupts", "interrupts", InterruptCheck::look),
            Check.ofPlan("managed-interrupts", "interrupts that cannot be moved", ManagedInterruptCheck::look),
            Check.ofPlan("packet-steering", "packet steering (RPS, XPS)", SteeringCheck::look),
            new Check("memory-nodes", "memory of the shards' nodes", MachineChecks::memory),
            new Check("huge-pages", "transparent huge pages", MemoryChecks::hugePages),
            new Check("huge-pages-defrag", "compaction for huge pages", MemoryChecks::compaction),
            new Check("numa-balancing", "NUMA balancing", MemoryChecks::balancing),
            new Check("jdk", "JDK", JvmChecks::binding),
            new Check("native-access", "native access", JvmChecks::nativeAccess),
            new Check("collector", "garbage collector", JvmChecks::collector),
            new Check("pretouch", "heap pages", JvmChecks::preTouch),
            new Check("jvm-numa", "heap and nodes", JvmChecks::numa),
            new Check("heap", "heap size", JvmChecks::heap));

    private Doctor() {}

    /** Returns one finding for each check, the most severe first. */
    public static List<Finding> examine(CheckContext context) {
        return CHECKS.stream()
                .map(check -> check.look().find(check, context))
                .sorted(Comparator.comparing(Finding::severity))
                .toList();
    }
}
