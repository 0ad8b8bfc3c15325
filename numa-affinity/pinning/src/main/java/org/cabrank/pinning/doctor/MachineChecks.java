package org.cabrank.pinning.doctor;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.cabrank.affinity.CpuList;
import org.cabrank.affinity.topology.MemoryNode;

final class MachineChecks {
    private static final String CLOCK = "devices/system/clocksource/clocksource0/";

    private static final Set<String> FAST_CLOCKS = Set.of(
            "tsc", "tsc-early", "kvm-clock", "hyperv_clocksource_tsc_page", "arch_sys_counter", "timebase", "tod");

    private static final String HUGE_PAGES = "kernel/mm/transparent_hugepage/enabled";
    private static final String DEFRAG = "kernel/mm/transparent_hugepage/defrag";

    private MachineChecks() {}

    static Finding clock(Check check, CheckContext context) {
        String current = context.sysfs().text(CLOCK + "current_clocksource").orElse("");
        if (current.isEmpty()) {
            return check.notShown("this kernel does not tell");
        }
        if (FAST_CLOCKS.contains(current)) {
            return check.ok(current + ": read without a system call");
        }
        String available = context.sysfs().text(CLOCK + "available_clocksource").orElse("");
        return check.warning(
                current,
                "each reading of the clock is a system call or a slow device access, and each request reads it several times",
                Stream.of(available.split(" +"))
                        .filter(FAST_CLOCKS::contains)
                        .findFirst()
                        .map(name -> "echo " + name + " > /sys/" + CLOCK
                                + "current_clocksource; and boot with clocksource=" + name)
                        .orElse("look in dmesg for the reason why the kernel gave up a faster one (\"clocksource\");"
                                + " tsc=reliable keeps tsc where the hardware is known to be sound"));
    }

    static Finding memory(Check check, CheckContext context) {
        CpuList allowed = context.limits().cpusetMems();
        CpuList local = CpuList.of();
        List<String> remote = new ArrayList<>();
        for (MemoryNode node : context.topology().nodes()) {
            CpuList there = node.cpus().intersection(context.shardCpus());
            if (node.hasMemory() && (allowed.isEmpty() || allowed.contains(node.id()))) {
                local = local.union(node.cpus().intersection(context.limits().usable()));
            } else if (!there.isEmpty()) {
                remote.add("CPU " + CheckContext.brief(there) + " is on node " + node.id() + ", which "
                        + (node.hasMemory() ? "cpuset.mems leaves out" : "has no memory"));
            }
        }
        if (remote.isEmpty()) {
            return check.ok("each shard's node has some for this process");
        }
        return check.warning(
                String.join("; ", remote),
                "every cache miss of these shards goes to another node",
                local.isEmpty()
                        ? "give the process memory of the nodes of its CPUs (cpuset.mems), or CPUs of other nodes (cpuset.cpus)"
                        : "--placement " + CheckContext.brief(local)
                                + ", or --placement spread, which takes nodes with memory first"
                                + (allowed.isEmpty() ? "" : "; or widen cpuset.mems"));
    }

    static Finding hugePages(Check check, CheckContext context) {
        return switch (chosen(context, HUGE_PAGES)) {
            case "always" ->
                check.warning(
                        "always",
                        "any page fault may wait until memory has been compacted for a huge page, and the kernel moves"
                                + " pages of running processes to make some",
                        "echo madvise > /sys/" + HUGE_PAGES + "; and -XX:+UseTransparentHugePages -XX:+AlwaysPreTouch"
                                + " for a large heap");
            case "madvise" ->
                check.ok("madvise: for those who ask"
                        + (context.jvm().hugePages() ? ", as this JVM does" : ", which this JVM does not"));
            case "never" ->
                check.note(
                        "never",
                        "a large heap costs more misses in the page tables' cache",
                        "echo madvise > /sys/" + HUGE_PAGES + "; and -XX:+UseTransparentHugePages");
            default -> check.notShown("this kernel has none, or does not tell");
        };
    }

    static Finding compaction(Check check, CheckContext context) {
        if (List.of("", "never").contains(chosen(context, HUGE_PAGES))) {
            return check.ok("there are no huge pages to make");
        }
        String defrag = chosen(context, DEFRAG);
        return switch (defrag) {
            case "" -> check.notShown("this kernel does not tell");
            case "always" ->
                check.warning(
                        "always",
                        "a page fault of any process waits until the kernel has moved pages to make a huge one:"
                                + " milliseconds",
                        "echo defer+madvise > /sys/" + DEFRAG);
            default -> check.ok(defrag);
        };
    }

    static Finding balancing(Check check, CheckContext context) {
        boolean severalNodes = context.topology().nodesWithCpus().size() > 1;
        String value = context.procfs().text("sys/kernel/numa_balancing").orElse("");
        return switch (value) {
            case "" ->
                severalNodes
                        ? check.notShown("this kernel has none, or does not tell")
                        : check.ok("there is one node with CPUs");
            case "0" -> check.ok("off");
            default ->
                severalNodes
                        ? check.warning(
                                "on (kernel.numa_balancing=" + value + ")",
                                "the kernel takes pages away from threads to see who uses them: page faults, and moved pages, in"
                                        + " the middle of requests; pinned shards have their memory at hand without it",
                                "sysctl -w kernel.numa_balancing=0")
                        : check.ok("on, but there is one node with CPUs");
        };
    }

    /** Returns the choice in brackets of a file such as {@code always [madvise] never}. If there is no file, returns an empty text. */
    private static String chosen(CheckContext context, String path) {
        return context.sysfs().text(path).orElse("").replaceFirst("^.*\\[(.*)].*$", "$1");
    }
}
