package org.cabrank.affinity.topology;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntConsumer;
import org.cabrank.affinity.CpuList;

final class Domains {
    private final int[] numbers = new int[CpuList.CPUS_MAX];
    private final CpuList cpus;
    private int count;

    private Domains(CpuList cpus) {
        this.cpus = cpus;
        Arrays.fill(numbers, -1);
    }

    /**
     * Builds domains from one list for each CPU: the CPUs that share something with it. A CPU without a list belongs to a domain if the
     * list of another CPU names it. A list is contradictory if it does not name its own CPU, or differs from the list of a CPU that it
     * names. The CPU of such a list goes to {@code contradictory}, and has number -1.
     */
    static Domains shared(CpuList cpus, Map<Integer, CpuList> shared, IntConsumer contradictory) {
        Domains domains = new Domains(cpus);
        cpus.cpus()
                .filter(cpu -> shared.containsKey(cpu) && domains.of(cpu) < 0)
                .forEach(cpu -> {
                    CpuList members = shared.get(cpu).intersection(cpus);
                    boolean agreed = members.contains(cpu)
                            && members.cpus()
                                    .allMatch(member -> shared.getOrDefault(member, members)
                                            .intersection(cpus)
                                            .equals(members));
                    if (agreed) {
                        domains.add(members);
                    } else {
                        contradictory.accept(cpu);
                    }
                });
        return domains.renumbered();
    }

    /** CPUs with equal keys form a domain. CPUs without a key have number -1. */
    static Domains keyed(CpuList cpus, Map<Integer, ?> keys) {
        Map<Object, List<Integer>> members = new HashMap<>();
        cpus.cpus()
                .filter(keys::containsKey)
                .forEach(cpu -> members.computeIfAbsent(keys.get(cpu), key -> new ArrayList<>())
                        .add(cpu));
        Domains domains = new Domains(cpus);
        members.values().forEach(ids -> domains.add(CpuList.of(ids)));
        return domains.renumbered();
    }

    CpuList unknown() {
        return cpus.filter(cpu -> of(cpu) < 0);
    }

    Domains completed(List<CpuList> others) {
        others.forEach(this::add);
        return renumbered();
    }

    private void add(CpuList members) {
        members.cpus().forEach(cpu -> numbers[cpu] = count);
        count++;
    }

    private Domains renumbered() {
        Map<Integer, Integer> order = new TreeMap<>();
        cpus.cpus().filter(cpu -> of(cpu) >= 0).forEach(cpu -> {
            order.putIfAbsent(of(cpu), order.size());
            numbers[cpu] = order.get(of(cpu));
        });
        count = order.size();
        return this;
    }

    int of(int cpu) {
        return numbers[cpu];
    }

    boolean isEmpty() {
        return count == 0;
    }

    CpuList members(int cpu) {
        return of(cpu) < 0 ? CpuList.of() : cpus.filter(other -> of(other) == of(cpu));
    }
}
