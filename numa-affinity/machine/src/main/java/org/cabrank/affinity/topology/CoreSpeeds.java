package org.cabrank.affinity.topology;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.IntToLongFunction;
import org.cabrank.affinity.CpuList;
import org.cabrank.affinity.files.FileTree;

final class CoreSpeeds {
    /** Perf event sources of hybrid Intel machines. Their files "cpus" exist since Linux 5.13 (6.12 for cpu_lowpower). */
    private static final Map<CoreKind, String> EVENT_SOURCES = new EnumMap<>(Map.of(
            CoreKind.PERFORMANCE, "cpu_core", CoreKind.EFFICIENCY, "cpu_atom", CoreKind.LOW_POWER, "cpu_lowpower"));

    /** Kinds differ in capacity by more than the highest capacity divided by this. A smaller difference may be due to boost. */
    private static final int SAME_KIND_PART = 8;

    private final FileTree sysfs;
    private final CpuList online;
    private final Map<Integer, CoreKind> kinds = new HashMap<>();
    private final Map<Integer, Integer> capacities = new HashMap<>();

    private CoreSpeeds(FileTree sysfs, CpuList online) {
        this.sysfs = sysfs;
        this.online = online;
    }

    static CoreSpeeds read(FileTree sysfs, CpuList online, CpuDomains domains) {
        CoreSpeeds speeds = new CoreSpeeds(sysfs, online);
        // x86 kernels before 6.12 lack the scheduler's capacity, so CPPC or the frequencies replace it.
        boolean told = speeds.capacities(cpu -> speeds.number(cpu, "cpu_capacity"));
        if (told) {
            speeds.kindsByCapacity();
        } else if (!speeds.capacities(cpu -> speeds.number(cpu, "acpi_cppc/highest_perf"))) {
            speeds.capacities(speeds::maxFrequencyKhz);
        }
        if (speeds.kinds.isEmpty()) {
            speeds.kindsByFrequency();
        }
        if (speeds.kinds.isEmpty()) {
            speeds.kindsByClusters(domains);
        }
        speeds.kindsByEventSource();
        speeds.lowPowerCores(domains.l3());
        return speeds;
    }

    private long number(int cpu, String name) {
        return sysfs.number(CpuPresence.CPUS + "/cpu" + cpu + "/" + name).orElse(0);
    }

    long maxFrequencyKhz(int cpu) {
        return Math.max(0, number(cpu, "cpufreq/cpuinfo_max_freq"));
    }

    CoreKind kind(int cpu) {
        return kinds.getOrDefault(cpu, CoreKind.UNIFORM);
    }

    int capacity(int cpu) {
        return capacities.getOrDefault(cpu, Cpu.CAPACITY_MAX);
    }

    /** Takes the capacities from {@code source}. Returns false if it does not know every CPU, or has the same number for all CPUs. */
    private boolean capacities(IntToLongFunction source) {
        if (source.applyAsLong(online.cpus().findFirst().orElseThrow()) <= 0) {
            return false;
        }
        Map<Integer, Long> values = new HashMap<>();
        online.cpus().forEach(cpu -> values.put(cpu, source.applyAsLong(cpu)));
        long lowest = values.values().stream().mapToLong(Long::longValue).min().orElse(0);
        long highest = values.values().stream().mapToLong(Long::longValue).max().orElse(0);
        if (lowest <= 0 || lowest == highest) {
            return false;
        }
        values.forEach((cpu, value) -> capacities.put(
                cpu, Math.max(1, Math.toIntExact(Math.round((double) value * Cpu.CAPACITY_MAX / highest)))));
        return true;
    }

    private void kindsByCapacity() {
        TreeSet<Integer> steps = new TreeSet<>(capacities.values());
        int step = Cpu.CAPACITY_MAX / SAME_KIND_PART;
        int fastest = steps.last() - step;
        int slowest = steps.first() + step;
        if (steps.first() < fastest) {
            capacities.forEach((cpu, capacity) -> kinds.put(
                    cpu,
                    capacity >= fastest
                            ? CoreKind.PERFORMANCE
                            : capacity <= slowest ? CoreKind.EFFICIENCY : CoreKind.MIDDLE));
        }
    }

    /** AMD's dense cores (Zen 4c, 5c) have a much lower maximum frequency. Within one kind, the frequencies differ by small steps. */
    private void kindsByFrequency() {
        TreeMap<Long, List<Integer>> cpusOfFrequency = new TreeMap<>(Comparator.reverseOrder());
        online.cpus()
                .forEach(cpu -> cpusOfFrequency
                        .computeIfAbsent(maxFrequencyKhz(cpu), none -> new ArrayList<>())
                        .add(cpu));
        if (cpusOfFrequency.lastKey() == 0) {
            return;
        }
        long step = cpusOfFrequency.firstKey() / SAME_KIND_PART;
        List<List<Integer>> groups = new ArrayList<>();
        long before = Long.MAX_VALUE;
        for (Map.Entry<Long, List<Integer>> cpus : cpusOfFrequency.entrySet()) {
            if (before - cpus.getKey() > step) {
                groups.add(new ArrayList<>());
            }
            groups.get(groups.size() - 1).addAll(cpus.getValue());
            before = cpus.getKey();
        }
        for (int group = 0; group < groups.size() && groups.size() > 1; group++) {
            CoreKind kind = group == 0
                    ? CoreKind.PERFORMANCE
                    : group == groups.size() - 1 ? CoreKind.EFFICIENCY : CoreKind.MIDDLE;
            groups.get(group).forEach(cpu -> kinds.put(cpu, kind));
        }
    }

    /** For virtual machines without frequencies. An Intel P-core has 2 threads and its own L2 cache. Four E-cores share an L2 cache. */
    private void kindsByClusters(CpuDomains domains) {
        Map<Integer, CoreKind> seen = new HashMap<>();
        online.cpus().forEach(cpu -> {
            int threads = domains.cores().members(cpu).size();
            boolean shared =
                    domains.clusters().of(cpu) >= 0 || domains.l2().members(cpu).size() > threads;
            if (threads > 1 && !shared) {
                seen.put(cpu, CoreKind.PERFORMANCE);
            } else if (threads == 1 && shared) {
                seen.put(cpu, CoreKind.EFFICIENCY);
            }
        });
        if (seen.size() == online.size() && seen.values().stream().distinct().count() > 1) {
            kinds.putAll(seen);
        }
    }

    private void kindsByEventSource() {
        Map<Integer, CoreKind> told = new HashMap<>();
        EVENT_SOURCES.forEach((kind, name) -> {
            for (String directory : List.of("devices/" + name, "bus/event_source/devices/" + name)) {
                sysfs.list(directory + "/cpus").ifPresent(cpus -> cpus.cpus().forEach(cpu -> told.put(cpu, kind)));
            }
        });
        // A machine with only one kind of cores is not hybrid, for example if its E-cores are switched off.
        if (told.values().stream().distinct().count() > 1) {
            kinds.putAll(told);
        }
    }

    /** Finds Intel's LP E-cores, which have no L3 cache. Up to Arrow Lake, perf lists them as E-cores. */
    private void lowPowerCores(Domains l3) {
        CpuList efficient = online.filter(cpu -> kind(cpu) == CoreKind.EFFICIENCY);
        CpuList apart = efficient.filter(cpu -> l3.of(cpu) < 0);
        if (!apart.equals(efficient)) {
            apart.cpus().forEach(cpu -> kinds.put(cpu, CoreKind.LOW_POWER));
        }
    }
}
