package org.cabrank.pinning.doctor;

import java.util.Map;
import java.util.TreeMap;
import org.cabrank.affinity.CpuList;
import org.cabrank.affinity.topology.Topology;

/** Checks of the CPUs of shards: SMT siblings, isolation and frequency governor. */
final class CpuChecks {
    private CpuChecks() {}

    static Finding smt(Check check, CheckContext context) {
        Topology topology = context.topology();
        if (!topology.smt()) {
            return check.ok("each core has one hardware thread");
        }
        String effect =
                "hardware threads of a core slow each other down, and the busier one makes the other's answers late";
        if (!context.isPinned()) {
            return check.note(
                    "several hardware threads share a core, and nothing keeps shards from sharing one",
                    effect,
                    "--placement cores leaves the siblings of shards idle");
        }
        CpuList shared = sharedCores(context);
        return shared.isEmpty()
                ? check.ok("no two hardware threads of a core are in the plan")
                : check.warning(
                        "CPU " + shared + " of the plan share cores with each other",
                        effect,
                        "--placement cores leaves the siblings of shards idle; or name one CPU of each core");
    }

    /** Returns the CPUs of the plan that share a core with another CPU of the plan. */
    private static CpuList sharedCores(CheckContext context) {
        CpuList planned = context.plan().cpus();
        return planned.filter(
                cpu -> context.topology().smtSiblings(cpu).intersection(planned).size() > 1);
    }

    static Finding isolated(Check check, CheckContext context) {
        Topology topology = context.topology();
        CpuList shards = context.shardCpus();
        CpuList isolated = topology.isolated();
        String effect = "other processes, kernel threads and the timer tick interrupt shards at any time";
        if (isolated.isEmpty()) {
            return check.note(
                    "there are none",
                    effect,
                    "where nothing else may delay an answer, boot (the host, for a container) with isolcpus=managed_irq,domain,LIST nohz_full=LIST"
                            + " rcu_nocbs=LIST and use --placement isolated");
        }
        if (!isolated.containsAll(shards)) {
            return check.note(
                    "CPU " + isolated + " are isolated, but shards run on " + shards, effect, "--placement isolated");
        }
        return topology.nohzFull().containsAll(shards)
                ? check.ok("shards run on isolated CPUs without the timer tick: " + shards)
                : check.note(
                        "shards run on isolated CPUs, of which " + shards.without(topology.nohzFull())
                                + " have the timer tick",
                        "the tick interrupts a busy thread 100 to 1,000 times a second",
                        "boot with nohz_full=" + shards);
    }

    static Finding governor(Check check, CheckContext context) {
        Map<String, CpuList> governors = new TreeMap<>();
        context.shardCpus().cpus().forEach(cpu -> {
            context.sysfs()
                    .text("devices/system/cpu/cpu" + cpu + "/cpufreq/scaling_governor")
                    .ifPresent(name -> governors.merge(name, CpuList.of(cpu), CpuList::union));
        });
        if (governors.isEmpty()) {
            return check.ok("this machine does not scale frequencies, or its host decides on them");
        }
        CpuList slow = governors.entrySet().stream()
                .filter(entry -> !entry.getKey().equals("performance"))
                .map(Map.Entry::getValue)
                .reduce(CpuList.of(), CpuList::union);
        return slow.isEmpty()
                ? check.ok("performance")
                : check.warning(
                        String.join(
                                "; ",
                                governors.entrySet().stream()
                                        .map(entry -> entry.getKey() + " on CPU " + entry.getValue())
                                        .toList()),
                        "a CPU that was idle answers slowly until its frequency is up again",
                        "cpupower -c " + slow + " frequency-set -g performance");
    }
}
