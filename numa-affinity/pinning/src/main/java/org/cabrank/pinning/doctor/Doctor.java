package org.cabrank.pinning.doctor;

import java.util.Comparator;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;

/** Runs all checks of the machine, the process and the JVM. */
public final class Doctor {
    private static final List<Function<CheckContext, Finding>> CHECKS = List.of(
            check("placement", "placement", ServiceChecks::plan),
            check("io-uring", "io_uring", ServiceChecks::ring),
            check("kernel", "kernel", ServiceChecks::kernel),
            check("memlock", "locked memory", LimitChecks::memlock),
            check("nofile", "descriptors", LimitChecks::nofile),
            check("cpu-quota", "CPU quota", LimitChecks::quota),
            check("cpu-throttling", "CPU throttling", LimitChecks::throttling),
            check("cpuset-partition", "cpuset partition", LimitChecks::partition),
            check("smt", "SMT", CpuChecks::smt),
            check("isolation", "isolated CPUs", CpuChecks::isolated),
            check("governor", "frequency governor", CpuChecks::governor),
            check("energy-preference", "energy preference", CpuChecks::energy),
            check("core-kinds", "kinds of cores", CpuChecks::kinds),
            check("idle-states", "idle states", CpuChecks::idleStates),
            check("clocksource", "clock source", MachineChecks::clock),
            ofPlan("interrupts", "interrupts", InterruptChecks::movable),
            ofPlan("managed-interrupts", "interrupts that cannot be moved", InterruptChecks::managed),
            ofPlan("packet-steering", "packet steering (RPS, XPS)", InterruptChecks::steering),
            check("memory-nodes", "memory of the shards' nodes", MachineChecks::memory),
            check("huge-pages", "transparent huge pages", MachineChecks::hugePages),
            check("huge-pages-defrag", "compaction for huge pages", MachineChecks::compaction),
            check("numa-balancing", "NUMA balancing", MachineChecks::balancing),
            check("jdk", "JDK", ServiceChecks::binding),
            check("native-access", "native access", ServiceChecks::nativeAccess),
            check("collector", "garbage collector", ServiceChecks::collector),
            check("pretouch", "heap pages", ServiceChecks::preTouch),
            check("jvm-numa", "heap and nodes", ServiceChecks::numa),
            check("heap", "heap size", ServiceChecks::heap));

    private Doctor() {}

    private static Function<CheckContext, Finding> check(
            String id, String subject, BiFunction<Check, CheckContext, Finding> look) {
        Check check = new Check(id, subject);
        return context -> look.apply(check, context);
    }

    private static Function<CheckContext, Finding> ofPlan(
            String id, String subject, BiFunction<Check, CheckContext, Finding> look) {
        return check(
                id,
                subject,
                (check, context) -> context.isPinned()
                        ? look.apply(check, context)
                        : check.unknown(
                                "not examined without a placement", "cabrank doctor --placement cores --shards N"));
    }

    /** Returns one finding for each check, the most severe first. */
    public static List<Finding> examine(CheckContext context) {
        return CHECKS.stream()
                .map(check -> check.apply(context))
                .sorted(Comparator.comparing(Finding::severity))
                .toList();
    }
}
