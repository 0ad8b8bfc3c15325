package org.cabrank.pinning.doctor;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.cabrank.affinity.CpuList;
import org.cabrank.affinity.topology.CoreKind;
import org.cabrank.affinity.topology.Cpu;
import org.cabrank.affinity.topology.Topology;

final class CpuChecks {
    private static final String PREFERENCE = "cpufreq/energy_performance_preference";

    /** CPUs have two scales of energy preference. Both begin at 0 (performance). A setting from these two values on saves power. */
    private static final int PREFERENCE_POWER_MIN = 128;

    private static final int BIAS_POWER_MIN = 8;

    /** Idle states up to this exit latency are not reported, because a wake-up by an interrupt takes some microseconds in any case. */
    private static final int EXIT_LATENCY_MAX_US = 10;

    private static final int IDLE_STATES_MAX = 16;

    private CpuChecks() {}

    static Finding smt(Check check, CheckContext context) {
        Topology topology = context.topology();
        if (!topology.smt()) {
            return check.ok("each core has one hardware thread");
        }
        String effect =
                "hardware threads of a core slow each other down, and the busier one makes the other's answers late";
        String remedy = "--placement cores leaves the siblings of shards idle";
        if (!context.isPinned()) {
            return check.note(
                    "several hardware threads share a core, and nothing keeps shards from sharing one", effect, remedy);
        }
        CpuList planned = context.plan().cpus();
        CpuList shared = planned.filter(
                cpu -> topology.smtSiblings(cpu).intersection(planned).size() > 1);
        return shared.isEmpty()
                ? check.ok("no two hardware threads of a core are in the plan")
                : check.warning(
                        "CPU " + shared + " of the plan share cores with each other",
                        effect,
                        remedy + "; or name one CPU of each core");
    }

    static Finding isolated(Check check, CheckContext context) {
        CpuList shards = context.shardCpus();
        CpuList isolated = context.topology().isolated();
        CpuList ticking = shards.without(context.topology().nohzFull());
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
        return ticking.isEmpty()
                ? check.ok("shards run on isolated CPUs without the timer tick: " + shards)
                : check.note(
                        "shards run on isolated CPUs, of which " + ticking + " have the timer tick",
                        "the tick interrupts a busy thread 100 to 1,000 times a second",
                        "boot with nohz_full=" + shards);
    }

    static Finding governor(Check check, CheckContext context) {
        Map<String, CpuList> governors = context.cpusByText(context.shardCpus(), "cpufreq/scaling_governor");
        if (governors.isEmpty()) {
            return check.ok("this machine does not scale frequencies, or its host decides on them");
        }
        CpuList slow = cpus(governors, name -> !name.equals("performance"));
        return slow.isEmpty()
                ? check.ok("performance")
                : check.warning(
                        text(governors),
                        "a CPU that was idle answers slowly until its frequency is up again",
                        "cpupower -c " + slow + " frequency-set -g performance");
    }

    static Finding energy(Check check, CheckContext context) {
        Map<String, CpuList> preferences = context.cpusByText(context.shardCpus(), PREFERENCE);
        // The bias is read only for CPUs without a preference, because a CPU that has one ignores the bias.
        CpuList others = context.shardCpus().without(cpus(preferences, text -> true));
        Map<String, CpuList> biases = context.cpusByText(others, "power/energy_perf_bias");
        if (preferences.isEmpty() && biases.isEmpty()) {
            return check.ok("this machine has none, or its host decides on it");
        }
        String words = Stream.of(text(preferences), biases.isEmpty() ? "" : "energy_perf_bias " + text(biases))
                .filter(text -> !text.isEmpty())
                .collect(Collectors.joining("; "));
        CpuList wrong = cpus(preferences, text -> level(text, PREFERENCE_POWER_MIN) > 0);
        CpuList biased = cpus(biases, text -> level(text, BIAS_POWER_MIN) > 0);
        List<String> remedies = new ArrayList<>();
        if (!wrong.isEmpty()) {
            remedies.add("for c in " + numbers(wrong) + "; do echo performance > /sys/" + CheckContext.CPU + "$c/"
                    + PREFERENCE + "; done");
        }
        if (!biased.isEmpty()) {
            remedies.add("cpupower -c " + biased + " set --perf-bias 0");
        }
        if (remedies.isEmpty()) {
            return check.ok(words);
        }
        boolean saving = preferences.keySet().stream()
                        .anyMatch(text -> level(text, PREFERENCE_POWER_MIN) >= PREFERENCE_POWER_MIN)
                || biases.keySet().stream().anyMatch(text -> level(text, BIAS_POWER_MIN) >= BIAS_POWER_MIN);
        return check.finding(
                saving ? Severity.WARNING : Severity.NOTE,
                words,
                "the processor lets its frequency rise late and fall early: answers after a pause are slower",
                String.join("; ", remedies));
    }

    private static int level(String text, int savingMin) {
        if (text.matches("\\d{1,3}")) {
            return Integer.parseInt(text);
        }
        return switch (text) {
            case "performance" -> 0;
            case "power", "balance_power" -> savingMin;
            default -> 1;
        };
    }

    private static CpuList cpus(Map<String, CpuList> byText, Predicate<String> wanted) {
        return byText.entrySet().stream()
                .filter(entry -> wanted.test(entry.getKey()))
                .map(Map.Entry::getValue)
                .reduce(CpuList.of(), CpuList::union);
    }

    private static String text(Map<String, CpuList> byText) {
        return byText.entrySet().stream()
                .map(entry -> entry.getKey() + " on CPU " + CheckContext.brief(entry.getValue()))
                .collect(Collectors.joining("; "));
    }

    private static String numbers(CpuList cpus) {
        return cpus.toString().replaceAll("(\\d+)-(\\d+)", "\\$(seq $1 $2)").replace(',', ' ');
    }

    static Finding kinds(Check check, CheckContext context) {
        if (!context.topology().hybrid()) {
            return check.ok("all cores are alike, as far as the kernel tells");
        }
        Map<CoreKind, CpuList> taken = byKind(context, context.shardCpus());
        String machine = byKind(context, context.topology().online()).entrySet().stream()
                .map(kind -> cores(context, kind.getKey(), kind.getValue()))
                .collect(Collectors.joining(", "));
        if (taken.keySet().stream().allMatch(kind -> kind == CoreKind.PERFORMANCE)) {
            return check.ok(machine + "; shards run on performance cores alone");
        }
        String remedy = "--placement cores:performance, or another placement with a kind of cores (pack:performance,"
                + " threads:efficiency)";
        if (!context.isPinned()) {
            return check.note(
                    machine, "the scheduler moves the threads of shards among cores of different speeds", remedy);
        }
        String used = taken.entrySet().stream()
                .map(kind -> "CPU " + CheckContext.brief(kind.getValue()) + " of "
                        + kind.getKey().word() + " cores")
                .collect(Collectors.joining(", "));
        return check.finding(
                taken.size() == 1 ? Severity.NOTE : Severity.WARNING,
                machine + "; shards run on " + used,
                taken.size() == 1
                        ? "each answer takes longer than on the performance cores"
                        : "shards that are given equal work answer at different speeds, and the slowest make the tail",
                remedy);
    }

    /** Text such as {@code 6 performance cores (CPU 0-11)}. */
    private static String cores(CheckContext context, CoreKind kind, CpuList cpus) {
        long cores = context.topology().cores().stream()
                .filter(core -> !core.intersection(cpus).isEmpty())
                .count();
        return cores + " " + kind.word() + (cores == 1 ? " core" : " cores") + " (CPU " + CheckContext.brief(cpus)
                + ")";
    }

    private static Map<CoreKind, CpuList> byKind(CheckContext context, CpuList cpus) {
        Map<CoreKind, CpuList> kinds = new EnumMap<>(CoreKind.class);
        for (Cpu cpu : context.topology().cpus()) {
            if (cpu.online() && cpus.contains(cpu.id())) {
                kinds.merge(cpu.kind(), CpuList.of(cpu.id()), CpuList::union);
            }
        }
        return kinds;
    }

    static Finding idleStates(Check check, CheckContext context) {
        int deepestUs = 0;
        String deepest = "";
        CpuList deep = CpuList.of();
        for (int cpu : context.shardCpus().cpus().toArray()) {
            String directory = CheckContext.CPU + cpu + "/";
            int mostUs = exitLatencyMaxUs(context, directory + "power/pm_qos_resume_latency_us");
            for (int state = 0; state < IDLE_STATES_MAX; state++) {
                String idle = directory + "cpuidle/state" + state + "/";
                int us = number(context, idle + "latency");
                boolean used = number(context, idle + "disable") == 0 && us <= mostUs;
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
                "CPU " + CheckContext.brief(deep) + " may sleep as deep as " + deepest + ", which takes " + deepestUs
                        + " us to leave",
                "the first answer after some idle time is late by that, and by filling the caches again",
                "hold /dev/cpu_dma_latency open while the service runs: as root exec 3<>/dev/cpu_dma_latency; printf '\\x0a\\0\\0\\0' >&3;"
                        + " or, for these CPUs alone, cpupower -c " + CheckContext.brief(deep) + " idle-set -D "
                        + EXIT_LATENCY_MAX_US);
    }

    /** Reads a limit. The kernel writes 0 for no limit, and "n/a" for a limit of 0 (Documentation/ABI/testing/sysfs-devices-power). */
    private static int exitLatencyMaxUs(CheckContext context, String path) {
        if (context.sysfs().text(path).orElse("").equals("n/a")) {
            return 0;
        }
        int us = number(context, path);
        return us == 0 ? Integer.MAX_VALUE : us;
    }

    private static int number(CheckContext context, String path) {
        return context.sysfs().integer(path).orElse(0);
    }
}
