package org.cabrank.affinity.placement;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.IntSummaryStatistics;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.cabrank.affinity.CpuList;
import org.cabrank.affinity.limits.ProcessLimits;
import org.cabrank.affinity.topology.CoreKind;
import org.cabrank.affinity.topology.Cpu;
import org.cabrank.affinity.topology.Topology;

/**
 * A shard for each set of CPUs that have something in common. Within a core each thread is held to one hardware thread; in
 * larger domains the scheduler may move threads about, away from whatever else runs there.
 */
record PerDomain(Domain domain) implements Placement {
    enum Domain {
        CORE("a", "core", "smt"),
        L3("an", "L3 domain", "l3"),
        NODE("a", "node", "node");

        private final String article;
        private final String noun;
        private final String word;

        Domain(String article, String noun, String word) {
            this.article = article;
            this.noun = noun;
            this.word = word;
        }
    }

    @Override
    public PlacementPlan plan(Topology topology, ProcessLimits limits, int shards, int threadsPerShard, boolean strict)
            throws PlacementException {
        Planning planning = new Planning(topology, limits, shards, threadsPerShard, strict);
        List<Cpu> usable = planning.usable();
        if (usable.isEmpty()) {
            return new OneByOne(OneByOne.Order.THREADS).plan(topology, limits, shards, threadsPerShard, strict);
        }
        List<List<Cpu>> domains = planning.domainsWithMemoryFirst(domains(planning, usable));
        int count = planning.shards(domains.size(), domains.get(0).size());
        if (count > domains.size()) {
            planning.compromise(
                    "there are " + Cpus.count(count, "shard") + " but only " + Cpus.count(domains.size(), domain.noun)
                            + " that this process may use",
                    "they share them in turn",
                    "ask for " + Cpus.count(domains.size(), "shard"));
        }
        List<ShardPlace> places = new ArrayList<>();
        for (int shard = 0; shard < count; shard++) {
            places.add(place(planning, shard, domains.get(shard % domains.size())));
        }
        String what = domain.article + " " + domain.noun + " for each shard"
                + uneven(domains.subList(0, Math.min(count, domains.size())));
        return planning.plan(this, what, places);
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

    private ShardPlace place(Planning planning, int shard, List<Cpu> cpus) {
        if (domain == Domain.CORE) {
            return planning.inTurn(
                    shard,
                    cpus,
                    (cpus.size() == 1 ? "" : "its threads share all hardware threads of ") + Cpus.where(cpus));
        }
        // The scheduler does not balance over isolated CPUs: all threads would stay on the first one indefinitely.
        if (cpus.stream().anyMatch(Cpu::isolated)) {
            List<Cpu> inOrder = Cpus.levels(cpus).stream().flatMap(List::stream).toList();
            return planning.inTurn(
                    shard, inOrder, "a CPU for each thread, as they are isolated, in " + Cpus.where(cpus));
        }
        return planning.floating(
                shard, cpus, "all " + Cpus.count(cpus.size(), "CPU") + " of " + Cpus.where(cpus) + " that may be used");
    }

    private List<List<Cpu>> domains(Planning planning, List<Cpu> usable) throws PlacementException {
        List<Cpu> sorted = usable.stream().sorted(Cpus.BY_PLACE).toList();
        return switch (domain) {
            case CORE -> byCore(sorted);
            case L3 -> l3(planning, sorted);
            case NODE -> inOrder(Cpus.grouped(sorted, Cpu::node));
        };
    }

    private static List<List<Cpu>> byCore(List<Cpu> sorted) {
        Map<Integer, List<Cpu>> cores = Cpus.grouped(sorted, Cpu::core);
        return cores.values().stream()
                .sorted((one, other) -> Cpus.BY_PLACE.compare(one.get(0), other.get(0)))
                .toList();
    }

    /**
     * The slowest cores of laptops and phones have no L3 cache: they are no L3 domain, and are left out. Many Arm servers have no
     * L3 that belongs to some of their CPUs, and some machines do not tell: there the CPUs of a node stand for a domain.
     */
    private static List<List<Cpu>> l3(Planning planning, List<Cpu> sorted) throws PlacementException {
        List<Cpu> without = sorted.stream().filter(cpu -> cpu.l3() < 0).toList();
        List<Cpu> with = sorted.stream().filter(cpu -> cpu.l3() >= 0).toList();
        if (!with.isEmpty() && slower(without, with)) {
            planning.warn(
                    "CPU " + Cpus.list(without) + " ("
                            + OfKind.word(without.get(0).kind())
                            + " cores) is outside every L3 cache, and is left out; ask for node, or name CPUs in a list, to use these cores");
            return inOrder(Cpus.grouped(with, Cpu::l3));
        }
        if (!without.isEmpty()) {
            boolean all = without.size() == sorted.size();
            planning.compromise(
                    "the kernel shows no L3 cache for " + (all ? "any of the CPUs" : "CPU " + Cpus.list(without)),
                    "those of a node are taken for one domain",
                    "ask for the placement node");
        }
        return inOrder(Cpus.grouped(sorted, cpu -> cpu.l3() < 0 ? CpuList.CPUS_MAX + cpu.node() : cpu.l3()));
    }

    /** Returns true if there are {@code cpus}, each of a kind that is slower than every kind of {@code others}. */
    private static boolean slower(List<Cpu> cpus, List<Cpu> others) {
        CoreKind slowest =
                others.stream().map(Cpu::kind).max(Comparator.naturalOrder()).orElseThrow();
        return !cpus.isEmpty() && cpus.stream().allMatch(cpu -> cpu.kind().compareTo(slowest) > 0);
    }

    private static List<List<Cpu>> inOrder(Map<Integer, List<Cpu>> domains) {
        return new ArrayList<>(domains.values());
    }

    @Override
    public String description() {
        return domain == Domain.CORE
                ? "a core for each shard, with all hardware threads"
                : domain.article + " " + domain.noun + " for each shard, all over which its threads may run";
    }

    @Override
    public String toString() {
        return domain.word.toLowerCase(Locale.ROOT);
    }
}
