package org.cabrank.pinning.doctor;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.cabrank.affinity.CpuList;
import org.cabrank.affinity.topology.MemoryNode;

/** Checks of the clock source, the memory nodes and the idle states for the CPUs of shards. */
final class MachineChecks {
    private static final String CLOCK = "devices/system/clocksource/clocksource0/";

    /** Clock sources that are read without a system call. */
    private static final Set<String> FAST_CLOCKS = Set.of(
            "tsc", "tsc-early", "kvm-clock", "hyperv_clocksource_tsc_page", "arch_sys_counter", "timebase", "tod");

    /** Exit latency of idle states that is not reported, because a wakeup by interrupt takes some microseconds anyway. */
    private static final int EXIT_LATENCY_MAX_US = 10;

    private static final int IDLE_STATES_MAX = 16;

    private MachineChecks() {}

    static Finding clock(Check check, CheckContext context) {
        String current = context.sysfs().text(CLOCK + "current_clocksource").orElse("");
        if (current.isEmpty()) {
            return check.unknown("this kernel does not tell", Check.LOOK_ON_THE_HOST);
        }
        if (FAST_CLOCKS.contains(current)) {
            return check.ok(current + ": read without a system call");
        }
        List<String> available = List.of(
                context.sysfs().text(CLOCK + "available_clocksource").orElse("").split(" +"));
        Optional<String> fast = available.stream().filter(FAST_CLOCKS::contains).findFirst();
        return check.warning(
                current,
                "each reading of the clock is a system call or a slow device access, and each request reads it several times",
                fast.map(name -> "echo " + name + " > /sys/" + CLOCK + "current_clocksource; and boot with clocksource="
                                + name)
                        .orElse("look in dmesg for the reason why the kernel gave up a faster one (\"clocksource\");"
                                + " tsc=reliable keeps tsc where the hardware is known to be sound"));
    }

    static Finding memory(Check check, CheckContext context) {
        CpuList allowed = context.limits().cpusetMems();
        List<String> remote = new ArrayList<>();
        for (MemoryNode node : context.topology().nodes()) {
            CpuList there = node.cpus().intersection(context.shardCpus());
            boolean forbidden = !allowed.isEmpty() && !allowed.contains(node.id());
            if (!there.isEmpty() && (!node.hasMemory() || forbidden)) {
                remote.add("CPU " + there.brief(60) + " is on node " + node.id() + ", which "
                        + (node.hasMemory() ? "cpuset.mems leaves out" : "has no memory"));
            }
        }
        if (remote.isEmpty()) {
            return check.ok("each shard's node has some for this process");
        }
        CpuList local = context.topology().nodes().stream()
                .filter(node -> node.hasMemory() && (allowed.isEmpty() || allowed.contains(node.id())))
                .map(MemoryNode::cpus)
                .reduce(CpuList.of(), CpuList::union)
                .intersection(context.limits().usable());
        return check.warning(
                String.join("; ", remote),
                "every cache miss of these shards goes to another node",
                local.isEmpty()
                        ? "give the process memory of the nodes of its CPUs (cpuset.mems), or CPUs of other nodes (cpuset.cpus)"
                        : "--placement " + local.brief(60)
                                + ", or --placement spread, which takes nodes with memory first"
                                + (allowed.isEmpty() ? "" : "; or widen cpuset.mems"));
    }

    static Finding idleStates(Check check, CheckContext context) {
        int deepestUs = 0;
        String deepest = "";
        CpuList deep = CpuList.of();
        for (int cpu : context.shardCpus().cpus().toArray()) {
            String directory = "devices/system/cpu/cpu" + cpu + "/";
            int limit = number(context, directory + "power/pm_qos_resume_latency_us");
            for (int state = 0; state < IDLE_STATES_MAX; state++) {
                String idle = directory + "cpuidle/state" + state + "/";
                int us = number(context, idle + "latency");
                // 0 means no limit.
                boolean used = number(context, idle + "disable") == 0 && (limit == 0 || us <= limit);
                if (used && us > EXIT_LATENCY_MAX_US) {
                    deep = deep.union(CpuList.of(cpu));
                    if (us > deepestUs) {
                        deepestUs = us;
                        deepest = context.sysfs().text(idle + "name").orElse("state " + state);
                    }
                }
            }
        }
        if (deep.isEmpty()) {
            return check.ok("none that a CPU of a shard takes more than " + EXIT_LATENCY_MAX_US + " us to leave");
        }
        return check.note(
                "CPU " + deep.brief(60) + " may sleep as deep as " + deepest + ", which takes " + deepestUs
                        + " us to leave",
                "the first answer after some idle time is late by that, and by filling the caches again",
                "cabrank serve --cpu-dma-latency=" + EXIT_LATENCY_MAX_US
                        + "us; other services hold /dev/cpu_dma_latency"
                        + " open while they run: as root exec 3<>/dev/cpu_dma_latency; printf '\\x0a\\0\\0\\0' >&3;"
                        + " or, for these CPUs alone, cpupower -c " + deep.brief(60) + " idle-set -D "
                        + EXIT_LATENCY_MAX_US);
    }

    /** Reads a number; returns 0 if the file is missing or holds none. */
    private static int number(CheckContext context, String path) {
        return context.sysfs().integer(path).orElse(0);
    }
}
