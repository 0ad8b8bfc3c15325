package org.cabrank.affinity.placement;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.IntSummaryStatistics;
import java.util.List;
import org.cabrank.affinity.CpuList;
import org.cabrank.affinity.topology.CoreKind;
import org.cabrank.affinity.topology.Cpu;

/**
 * Rules with a shard for each set of CPUs that have something in common. Within a core each thread is held to one hardware
 * thread; in larger domains the scheduler may move threads about, away from whatever else runs there.
 */
final class PerDomain {
    private PerDomain() {}

    static PlacementPlan cores(Planning planning) throws PlacementException {
        List<List<Cpu>> cores = Cpus.grouped(sorted(planning), Cpu::core).values().stream()
                .sorted((one, other) -> Cpus.BY_PLACE.compare(one.get(0), other.get(0)))
                .toList();
        return plan(
                planning,
                "a core",
                cores,
                (shard, cpus) -> planning.inTurn(
                        shard,
                        cpus,
                        (cpus.size() == 1 ? "" : "its threads share all hardware threads of ") + Cpus.where(cpus)));
    }

    static PlacementPlan l3(Planning planning) throws PlacementException {
        return plan(planning, "an L3 domain", l3Domains(planning), (shard, cpus) -> place(planning, shard, cpus));
    }

    static PlacementPlan nodes(Planning planning) throws PlacementException {
        Collection<List<Cpu>> nodes = Cpus.grouped(sorted(planning), Cpu::node).values();
        return plan(planning, "a node", nodes, (shard, cpus) -> place(planning, shard, cpus));
    }

    private static List<Cpu> sorted(Planning planning) {
        return planning.usable().stream().sorted(Cpus.BY_PLACE).toList();
    }

    /** Makes the place of a shard. */
    @FunctionalInterface
    private interface Filling {
        ShardPlace place(int shard, List<Cpu> cpus);
    }

    private static PlacementPlan plan(Planning planning, String what, Collection<List<Cpu>> found, Filling filling)
            throws PlacementException {
        if (found.isEmpty()) {
            return OneByOne.threads(planning);
        }
        List<List<Cpu>> domains = planning.localMemoryOfDomainsFirst(found);
        int count = planning.shards(domains.size(), domains.get(0).size());
        if (count > domains.size()) {
            String noun = what.substring(what.indexOf(' ') + 1);
            planning.compromise(
                    "there are " + Cpus.count(count, "shard") + " but only " + Cpus.count(domains.size(), noun)
                            + " that this process may use",
                    "they share them in turn",
                    "ask for " + Cpus.count(domains.size(), "shard"));
        }
        List<ShardPlace> places = new ArrayList<>();
        for (int shard = 0; shard < count; shard++) {
            places.add(filling.place(shard, domains.get(shard % domains.size())));
        }
        return planning.plan(
                what + " for each shard" + uneven(domains.subList(0, Math.min(count, domains.size()))), places);
    }

    /**
     * Notes that shards get parts of the machine that differ in size, while the load is dealt evenly; empty if all are
     * equal.
     */
    private static String uneven(List<List<Cpu>> domains) {
        IntSummaryStatistics sizes = domains.stream().mapToInt(List::size).summaryStatistics();
        return sizes.getMin() == sizes.getMax()
                ? ""
                : ", which are uneven: " + sizes.getMin() + " to " + sizes.getMax() + " CPUs that may be used";
    }

    private static ShardPlace place(Planning planning, int shard, List<Cpu> cpus) {
        // The scheduler does not balance over isolated CPUs: all threads would stay on the first one indefinitely.
        if (cpus.stream().anyMatch(Cpu::isolated)) {
            return planning.inTurn(
                    shard,
                    Cpus.coresFirst(cpus),
                    "a CPU for each thread, as they are isolated, in " + Cpus.where(cpus));
        }
        return planning.floating(
                shard, cpus, "all " + Cpus.count(cpus.size(), "CPU") + " of " + Cpus.where(cpus) + " that may be used");
    }

    /**
     * The slowest cores of laptops and phones have no L3 cache: they are no L3 domain, and are left out. Many Arm servers have no
     * L3 that belongs to some of their CPUs, and some machines do not tell: there the CPUs of a node stand for a domain.
     */
    private static Collection<List<Cpu>> l3Domains(Planning planning) throws PlacementException {
        List<Cpu> sorted = sorted(planning);
        List<Cpu> without = sorted.stream().filter(cpu -> cpu.l3() < 0).toList();
        List<Cpu> with = sorted.stream().filter(cpu -> cpu.l3() >= 0).toList();
        if (!with.isEmpty() && slower(without, with)) {
            planning.warn(
                    "CPU " + Cpus.list(without) + " ("
                            + without.get(0).kind().word()
                            + " cores) is outside every L3 cache, and is left out; ask for node, or name CPUs in a list, to use these cores");
            return Cpus.grouped(with, Cpu::l3).values();
        }
        if (!without.isEmpty()) {
            boolean all = without.size() == sorted.size();
            planning.compromise(
                    "the kernel shows no L3 cache for " + (all ? "any of the CPUs" : "CPU " + Cpus.list(without)),
                    "those of a node are taken for one domain",
                    "ask for the placement node");
        }
        return Cpus.grouped(sorted, cpu -> cpu.l3() < 0 ? CpuList.CPUS_MAX + cpu.node() : cpu.l3())
                .values();
    }

    /** Returns true if there are {@code cpus}, each of a kind that is slower than every kind of {@code others}. */
    private static boolean slower(List<Cpu> cpus, List<Cpu> others) {
        CoreKind slowest =
                others.stream().map(Cpu::kind).max(Comparator.naturalOrder()).orElseThrow();
        return !cpus.isEmpty() && cpus.stream().allMatch(cpu -> cpu.kind().compareTo(slowest) > 0);
    }
}
