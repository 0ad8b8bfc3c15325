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

final class Cpus {
    private Cpus() {}

    static CpuList list(List<Cpu> cpus) {
        return CpuList.of(cpus.stream().mapToInt(Cpu::id).toArray());
    }

    static int cores(List<Cpu> cpus) {
        return (int) cpus.stream().map(Cpu::core).distinct().count();
    }

    static boolean shareCore(List<Cpu> cpus) {
        return cores(cpus) < cpus.size();
    }

    static Map<Integer, List<Cpu>> grouped(List<Cpu> cpus, ToIntFunction<Cpu> number) {
        Map<Integer, List<Cpu>> groups = new TreeMap<>();
        cpus.forEach(cpu -> groups.computeIfAbsent(number.applyAsInt(cpu), none -> new ArrayList<>())
                .add(cpu));
        return groups;
    }

    /** Returns the number of each CPU among the hardware threads of its core, from 0 in the given order. */
    static Map<Cpu, Integer> ranks(List<Cpu> cpus, Comparator<Cpu> order) {
        Map<Cpu, Integer> ranks = new LinkedHashMap<>();
        Map<Integer, Integer> seen = new HashMap<>();
        cpus.stream().sorted(order).forEach(cpu -> ranks.put(cpu, seen.merge(cpu.core(), 1, Integer::sum) - 1));
        return ranks;
    }

    static String count(int count, String noun) {
        return count + " " + noun + (count == 1 ? "" : "s");
    }

    static String shards(CpuList numbers) {
        return (numbers.size() == 1 ? "shard " : "shards ") + numbers;
    }

    /** Returns the domains that contain all {@code cpus}, such as {@code performance core 5, cluster 2, L3 1, node 0, package 0}. */
    static String where(List<Cpu> cpus) {
        List<String> words = new ArrayList<>();
        CoreKind first = cpus.get(0).kind();
        boolean oneKind = first != CoreKind.UNIFORM && cpus.stream().allMatch(cpu -> cpu.kind() == first);
        String kind = oneKind ? first.word() + " " : "";
        addCommon(words, kind + "core", cpus, Cpu::core);
        if (words.isEmpty() && oneKind) {
            words.add(kind + "cores");
        }
        addCommon(words, "cluster", cpus, Cpu::cluster);
        addCommon(words, "L3", cpus, Cpu::l3);
        addCommon(words, "node", cpus, Cpu::node);
        addCommon(words, "package", cpus, Cpu::pkg);
        return words.isEmpty() ? "a place that is unknown" : String.join(", ", words);
    }

    private static void addCommon(List<String> words, String noun, List<Cpu> cpus, ToIntFunction<Cpu> number) {
        int first = number.applyAsInt(cpus.get(0));
        if (first >= 0 && cpus.stream().allMatch(cpu -> number.applyAsInt(cpu) == first)) {
            words.add(noun + " " + first);
        }
    }
}
