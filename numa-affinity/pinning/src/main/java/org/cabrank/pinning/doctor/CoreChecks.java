package org.cabrank.pinning.doctor;

import java.util.EnumMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.cabrank.affinity.CpuList;
import org.cabrank.affinity.topology.CoreKind;
import org.cabrank.affinity.topology.Cpu;

/** Checks of the kinds of cores of shards, and of their energy preferences. */
final class CoreChecks {
    private static final String CPUS = "devices/system/cpu/cpu";
    private static final String PREFERENCE = "energy_performance_preference";
    private static final int LIST_CHARACTERS_MAX = 60;

    /** Hardware scales of energy preference; 0 means performance in both. */
    private static final int PREFERENCE_POWER_MIN = 128;

    private static final int BIAS_POWER_MIN = 8;

    private CoreChecks() {}

    static Finding kinds(Check check, CheckContext context) {
        if (!context.topology().hybrid()) {
            return check.ok("all cores are alike, as far as the kernel tells");
        }
        Map<CoreKind, CpuList> all = byKind(context, context.topology().online());
        Map<CoreKind, CpuList> taken = byKind(context, context.shardCpus());
        String machine = all.entrySet().stream()
                .map(kind -> cores(context, kind.getKey(), kind.getValue()))
                .collect(Collectors.joining(", "));
        boolean fastOnly = taken.keySet().stream().allMatch(kind -> kind == CoreKind.PERFORMANCE);
        if (fastOnly) {
            return check.ok(machine + "; shards run on performance cores alone");
        }
        String remedy = "--placement cores:performance, or another placement with a kind of cores (pack:performance,"
                + " threads:efficiency)";
        if (!context.isPinned()) {
            return check.note(
                    machine, "the scheduler moves the threads of shards among cores of different speeds", remedy);
        }
        String used = taken.entrySet().stream()
                .map(kind -> "CPU " + kind.getValue().brief(LIST_CHARACTERS_MAX) + " of "
                        + kind.getKey().word() + " cores")
                .collect(Collectors.joining(", "));
        return taken.size() == 1
                ? check.note(
                        machine + "; shards run on " + used,
                        "each answer takes longer than on the performance cores",
                        remedy)
                : check.warning(
                        machine + "; shards run on " + used,
                        "shards that are given equal work answer at different speeds, and the slowest make the tail",
                        remedy);
    }

    /** Text such as {@code 6 performance cores (CPU 0-11)}. */
    private static String cores(CheckContext context, CoreKind kind, CpuList cpus) {
        long cores = context.topology().cores().stream()
                .filter(core -> !core.intersection(cpus).isEmpty())
                .count();
        return cores + " " + kind.word() + (cores == 1 ? " core" : " cores") + " (CPU "
                + cpus.brief(LIST_CHARACTERS_MAX) + ")";
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

    /** Energy preferences of CPUs, grouped by the text of their files. */
    private static final class Preferences {
        private final Map<String, CpuList> cpusOf = new TreeMap<>();
        private CpuList saving = CpuList.of();
        private CpuList balanced = CpuList.of();

        private void add(int cpu, String text, int savingMin) {
            cpusOf.merge(text, CpuList.of(cpu), CpuList::union);
            int level = text.matches("\\d{1,3}") ? Integer.parseInt(text) : level(text, savingMin);
            if (level >= savingMin) {
                saving = saving.union(CpuList.of(cpu));
            } else if (level > 0) {
                balanced = balanced.union(CpuList.of(cpu));
            }
        }

        /** Returns the level of a cpufreq preference; an unknown preference lies between the extremes. */
        private static int level(String word, int savingMin) {
            return switch (word) {
                case "performance" -> 0;
                case "power", "balance_power" -> savingMin;
                default -> 1;
            };
        }

        private CpuList wrong() {
            return saving.union(balanced);
        }

        private String words() {
            return cpusOf.entrySet().stream()
                    .map(entry -> entry.getKey() + " on CPU " + entry.getValue().brief(LIST_CHARACTERS_MAX))
                    .collect(Collectors.joining("; "));
        }
    }

    static Finding energy(Check check, CheckContext context) {
        Preferences preferences = new Preferences();
        Preferences biases = new Preferences();
        context.shardCpus()
                .cpus()
                .forEach(cpu -> context.sysfs()
                        .text(CPUS + cpu + "/cpufreq/" + PREFERENCE)
                        .ifPresentOrElse(
                                text -> preferences.add(cpu, text, PREFERENCE_POWER_MIN),
                                // A processor with the preference ignores the bias.
                                () -> context.sysfs()
                                        .text(CPUS + cpu + "/power/energy_perf_bias")
                                        .ifPresent(text -> biases.add(cpu, text, BIAS_POWER_MIN))));
        if (preferences.cpusOf.isEmpty() && biases.cpusOf.isEmpty()) {
            return check.ok("this machine has none, or its host decides on it");
        }
        StringBuilder words = new StringBuilder(preferences.words());
        if (!biases.cpusOf.isEmpty()) {
            words.append(words.isEmpty() ? "" : "; ")
                    .append("energy_perf_bias ")
                    .append(biases.words());
        }
        if (preferences.wrong().isEmpty() && biases.wrong().isEmpty()) {
            return check.ok(words.toString());
        }
        boolean saving = !preferences.saving.isEmpty() || !biases.saving.isEmpty();
        StringBuilder remedy = new StringBuilder();
        if (!preferences.wrong().isEmpty()) {
            remedy.append("for c in ")
                    .append(numbers(preferences.wrong()))
                    .append("; do echo performance > /sys/" + CPUS + "$c/cpufreq/" + PREFERENCE + "; done");
        }
        if (!biases.wrong().isEmpty()) {
            remedy.append(remedy.isEmpty() ? "" : "; ")
                    .append("cpupower -c ")
                    .append(biases.wrong())
                    .append(" set --perf-bias 0");
        }
        return check.finding(
                saving ? Severity.WARNING : Severity.NOTE,
                words.toString(),
                "the processor lets its frequency rise late and fall early: answers after a pause are slower",
                remedy.toString());
    }

    /** Formats CPUs for a shell loop: {@code 0 2 $(seq 4 9)}. */
    private static String numbers(CpuList cpus) {
        StringBuilder words = new StringBuilder();
        for (String range : cpus.toString().split(",")) {
            String[] ends = range.split("-");
            words.append(words.isEmpty() ? "" : " ")
                    .append(ends.length == 1 ? range : "$(seq " + ends[0] + " " + ends[1] + ")");
        }
        return words.toString();
    }
}
