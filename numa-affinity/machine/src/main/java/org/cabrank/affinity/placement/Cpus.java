package org.cabrank.affinity.placement;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToIntFunction;
import org.cabrank.affinity.CpuList;
import org.cabrank.affinity.topology.CoreKind;
import org.cabrank.affinity.topology.Cpu;

/** Orders and descriptions of sets of CPUs. */
final class Cpus {
    /** Neighbours in the machine stand beside each other; fast cores come before slow ones, among neighbours too. */
    static final Comparator<Cpu> BY_PLACE = Comparator.<Cpu>comparingInt(
                    cpu -> cpu.kind().ordinal())
            .thenComparingInt(
                    cpu -> knownFirst(cpu.node())) // virtual machines may have a package for each CPU of a node
            .thenComparingInt(Cpu::pkg)
            .thenComparingInt(cpu -> knownFirst(cpu.l3()))
            .thenComparingInt(cpu -> -cpu.capacity())
            .thenComparingInt(Cpu::core)
            .thenComparingInt(Cpu::thread)
            .thenComparingInt(Cpu::id);

    private static final String NOWHERE = "a place that is unknown";

    private Cpus() {}

    /** Orders numbers of domains: -1, which stands for no such domain, comes last. */
    static int knownFirst(int domain) {
        return domain < 0 ? Integer.MAX_VALUE : domain;
    }

    /**
     * A number for the cores that share something below the L3 cache with this CPU's: a cluster, or an L2 cache where the
     * kernel shows no clusters (before 5.16). A core that shares nothing has a number of its own.
     */
    static int cluster(Cpu cpu) {
        if (cpu.cluster() >= 0) {
            return cpu.cluster();
        }
        return cpu.l2() >= 0 ? CpuList.CPUS_MAX + cpu.l2() : 2 * CpuList.CPUS_MAX + cpu.core();
    }

    static CpuList list(List<Cpu> cpus) {
        return CpuList.of(cpus.stream().mapToInt(Cpu::id).toArray());
    }

    /** {@code 1 shard}, {@code 2 shards}. */
    static String count(int count, String noun) {
        return count + " " + noun + (count == 1 ? "" : "s");
    }

    /** {@code shard 3}, {@code shards 0-3}: numbers of shards have the format of those of CPUs. */
    static String shards(CpuList numbers) {
        return (numbers.size() == 1 ? "shard " : "shards ") + numbers;
    }

    /** The rank of each CPU among the hardware threads of its core, from 0. The map has the CPUs in the given order. */
    static Map<Cpu, Integer> ranks(List<Cpu> cpus, Comparator<Cpu> order) {
        Map<Cpu, Integer> ranks = new LinkedHashMap<>();
        Map<Integer, Integer> seen = new HashMap<>();
        cpus.stream().sorted(order).forEach(cpu -> ranks.put(cpu, seen.merge(cpu.core(), 1, Integer::sum) - 1));
        return ranks;
    }

    /** One hardware thread of each core by {@link #BY_PLACE}, then a second one of each, and so on. */
    static List<Cpu> coresFirst(List<Cpu> cpus) {
        Map<Cpu, Integer> ranks = ranks(cpus, BY_PLACE);
        return ranks.keySet().stream().sorted(Comparator.comparing(ranks::get)).toList();
    }

    /** Number of cores of {@code cpus}. */
    static int cores(List<Cpu> cpus) {
        return (int) cpus.stream().map(Cpu::core).distinct().count();
    }

    /** Sets of CPUs with the same number, by this number. */
    static Map<Integer, List<Cpu>> grouped(List<Cpu> cpus, ToIntFunction<Cpu> number) {
        Map<Integer, List<Cpu>> groups = new TreeMap<>();
        for (Cpu cpu : cpus) {
            groups.computeIfAbsent(number.applyAsInt(cpu), none -> new ArrayList<>())
                    .add(cpu);
        }
        return groups;
    }

    /**
     * {@code core 5, cluster 2, L3 1, node 0, package 0}: what is known of where {@code cpus} are, and the same for all of them.
     * On a hybrid machine the kind of the cores comes first: {@code performance core 5}.
     */
    static String where(List<Cpu> cpus) {
        List<String> words = new ArrayList<>();
        String kind = kind(cpus);
        addCommon(words, kind + "core", cpus, Cpu::core);
        if (words.isEmpty() && !kind.isEmpty()) {
            words.add(kind + "cores");
        }
        addCommon(words, "cluster", cpus, Cpu::cluster);
        addCommon(words, "L3", cpus, Cpu::l3);
        addCommon(words, "node", cpus, Cpu::node);
        addCommon(words, "package", cpus, Cpu::pkg);
        return words.isEmpty() ? NOWHERE : String.join(", ", words);
    }

    /** {@code performance }, with a blank at its end; empty where all cores of the machine are alike, or these are not. */
    private static String kind(List<Cpu> cpus) {
        CoreKind first = cpus.get(0).kind();
        return first != CoreKind.UNIFORM && cpus.stream().allMatch(cpu -> cpu.kind() == first)
                ? first.word() + " "
                : "";
    }

    /** Returns true if two of {@code cpus} are hardware threads of one core. */
    static boolean shareCore(List<Cpu> cpus) {
        return cores(cpus) < cpus.size();
    }

    private static void addCommon(List<String> words, String noun, List<Cpu> cpus, ToIntFunction<Cpu> number) {
        int first = number.applyAsInt(cpus.get(0));
        if (first >= 0 && cpus.stream().allMatch(cpu -> number.applyAsInt(cpu) == first)) {
            words.add(noun + " " + first);
        }
    }
}
