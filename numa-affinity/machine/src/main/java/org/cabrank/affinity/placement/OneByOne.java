package org.cabrank.affinity.placement;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;
import org.cabrank.affinity.limits.ProcessLimits;
import org.cabrank.affinity.topology.Cpu;
import org.cabrank.affinity.topology.Topology;

/** Deals out single CPUs in some order. */
record OneByOne(Order order) implements Placement {
    private static final int CPUS_CHARACTERS_MAX = 60;

    enum Order {
        /** One CPU for each shard, no two on a core. */
        CORES("a core for each shard, its other hardware threads idle"),
        /** One CPU for each shard. */
        THREADS("a hardware thread for each shard"),
        /** One CPU for each thread, the next one in the neighbourhood. */
        PACK("a CPU for each thread, near together"),
        /** One CPU for each thread, each shard's first one as far as possible from those before. */
        SPREAD("a CPU for each thread, the shards far apart"),
        /** One CPU for each thread, of isolated ones: no two on a core before each core has one. */
        ISOLATED("a CPU for each thread, of isolated CPUs");

        private final String description;

        Order(String description) {
            this.description = description;
        }
    }

    @Override
    public PlacementPlan plan(Topology topology, ProcessLimits limits, int shards, int threadsPerShard, boolean strict)
            throws PlacementException {
        Planning planning = new Planning(topology, limits, shards, threadsPerShard, strict);
        return switch (order) {
            case CORES -> cores(planning);
            case THREADS -> threads(planning);
            case PACK -> near(planning, packed(planning), true, "packed in ", "as near together as can be");
            case SPREAD ->
                near(
                        planning,
                        planning.localMemoryFirst(spread(planning)),
                        false,
                        "spread to ",
                        "as far apart as can be");
            case ISOLATED -> isolated(planning);
        };
    }

    private PlacementPlan cores(Planning planning) throws PlacementException {
        List<List<Cpu>> levels = Cpus.levels(planning.usable());
        int cores = levels.isEmpty() ? 0 : levels.get(0).size();
        int shards = planning.shards(cores, 1);
        List<Cpu> all =
                planning.localMemoryFirst(levels.stream().flatMap(List::stream).toList());
        if (shards > cores && cores > 0) {
            planning.compromise(
                    "there are " + Cpus.count(shards, "shard") + " but only " + Cpus.count(cores, "core")
                            + " that this process may use",
                    shards <= all.size()
                            ? "the further ones go on the cores' other hardware threads"
                            : "shards share CPUs in turn",
                    "ask for " + Cpus.count(cores, "shard"));
        }
        Siblings siblings = new Siblings(planning);
        List<ShardPlace> places = new ArrayList<>();
        for (int shard = 0; shard < shards && cores > 0; shard++) {
            List<Cpu> one = List.of(all.get(shard % all.size()));
            places.add(planning.inTurn(
                    shard, one, turns(planning) + Cpus.where(one) + siblings.besides(one.get(0), shards > cores)));
        }
        return orUnpinned(planning, places, shards, "a core for each shard, its other hardware threads left idle");
    }

    private PlacementPlan threads(Planning planning) throws PlacementException {
        List<Cpu> all = planning.localMemoryFirst(coresFirst(planning.usable()));
        int shards = planning.shards(all.size(), 1);
        checkEnough(planning, shards, 1, all.size());
        List<ShardPlace> places = new ArrayList<>();
        for (int shard = 0; shard < shards && !all.isEmpty(); shard++) {
            List<Cpu> one = List.of(all.get(shard % all.size()));
            places.add(planning.inTurn(shard, one, turns(planning) + Cpus.where(one)));
        }
        return orUnpinned(planning, places, shards, "a hardware thread for each shard");
    }

    private PlacementPlan isolated(Planning planning) throws PlacementException {
        List<Cpu> isolated = planning.isolated();
        if (!isolated.isEmpty()) {
            return near(
                    planning,
                    coresFirst(isolated),
                    false,
                    "",
                    "on isolated CPUs, where the scheduler puts nothing else");
        }
        planning.compromise(
                "this machine has no isolated CPU that this process may use",
                "shards are packed on its other CPUs",
                planning.confined()
                        ? "the cpuset of a cgroup, such as a container's, holds this process to CPU "
                                + planning.limits().usable().brief(CPUS_CHARACTERS_MAX)
                                + ": whoever runs the host must isolate CPUs (isolcpus=LIST) and give them to that cgroup's"
                                + " cpuset.cpus, or make the cgroup an isolated partition (cpuset.cpus.partition)"
                        : "isolate some with the kernel's parameter isolcpus=LIST (that of the host, for a container), or run"
                                + " this process in a cgroup whose cpuset.cpus.partition is isolated");
        return near(planning, packed(planning), true, "packed in ", "as near together as can be");
    }

    /**
     * Plans a CPU for each thread: the first CPU of each shard by {@code order}, its further CPUs as near to the first as possible.
     *
     * @param tight use no CPUs but the first ones of {@code order}
     */
    private PlacementPlan near(Planning planning, List<Cpu> order, boolean tight, String how, String what)
            throws PlacementException {
        int each = planning.threadsPerShard();
        int cores = Cpus.levels(order).stream().findFirst().map(List::size).orElse(0);
        int shards = planning.shards(cores / each);
        checkEnough(planning, shards, each, order.size());
        List<List<Cpu>> dealt =
                order.isEmpty() ? List.of() : Dealer.deal(planning.topology(), order, shards, each, tight);
        CoreSharing sharing = new CoreSharing(planning.topology().hybrid());
        List<ShardPlace> places = new ArrayList<>();
        for (List<Cpu> cpus : dealt) {
            int shard = places.size();
            places.add(planning.inTurn(shard, cpus, how + Cpus.where(cpus) + sharing.words(shard, cpus) + marks(cpus)));
        }
        if (order.stream().allMatch(Cpu::isolated) && (long) shards * each <= order.size()) {
            sharing.warn(planning, shards, cores);
        }
        return orUnpinned(planning, places, shards, what);
    }

    static void checkEnough(Planning planning, int shards, int each, int cpus) throws PlacementException {
        if ((long) shards * each > cpus && cpus > 0) {
            planning.compromise(
                    "there are " + Cpus.count(shards, "shard")
                            + (each == 1 ? "" : " x " + Cpus.count(each, "thread")) + " but only "
                            + Cpus.count(cpus, "CPU") + " for them",
                    "they share CPUs in turn",
                    cpus < each ? "ask for fewer threads per shard" : "ask for " + Cpus.count(cpus / each, "shard"));
        }
    }

    private PlacementPlan orUnpinned(Planning planning, List<ShardPlace> places, int shards, String what)
            throws PlacementException {
        if (!places.isEmpty()) {
            return planning.plan(this, what, places);
        }
        planning.compromise(
                "no CPU is known that this process may use",
                "nothing is pinned",
                "look what 'taskset -p' and the cpuset cgroup say");
        for (int shard = 0; shard < shards; shard++) {
            places.add(planning.anywhere(shard, "not pinned"));
        }
        return planning.plan(this, "nothing is pinned", places);
    }

    private static String turns(Planning planning) {
        return planning.threadsPerShard() == 1 ? "" : "its threads take turns on ";
    }

    private static String marks(List<Cpu> cpus) {
        boolean isolated = cpus.stream().allMatch(Cpu::isolated);
        boolean tickless = cpus.stream().allMatch(Cpu::nohzFull);
        return (isolated ? "; isolated" : "") + (tickless ? "; nohz_full" : "");
    }

    /** One hardware thread of each core, then a second of each. */
    private static List<Cpu> coresFirst(List<Cpu> cpus) {
        return Cpus.levels(cpus).stream().flatMap(List::stream).collect(Collectors.toCollection(ArrayList::new));
    }

    /**
     * Node by node, the nearest first, in each L3 domain by L3 domain, those with the fastest cores first; in each the cores and then
     * their further hardware threads. Nodes without memory for this process come last. CPUs without an L3 cache, such as the slowest cores
     * of laptops and phones, are a domain of their own. Where each core has its own L3 cache (POWER7), a node is one domain.
     */
    static List<Cpu> packed(Planning planning) {
        List<Cpu> cpus = planning.usable();
        boolean sharedCaches = planning.topology().l3Domains().stream()
                .anyMatch(domain -> planning.online(domain).stream()
                                .map(Cpu::core)
                                .distinct()
                                .count()
                        > 1);
        ToIntFunction<Cpu> l3 = cpu -> sharedCaches ? cpu.l3() : -1;
        Map<List<Integer>, Integer> fastest = new HashMap<>();
        cpus.forEach(cpu -> fastest.merge(domain(cpu, l3), cpu.kind().ordinal(), Math::min));
        Map<Integer, Integer> nodes = NodeOrder.nearestFirst(planning.topology(), planning.withLocalMemory(cpus));
        NodeOrder.nearestFirst(planning.topology(), cpus)
                .forEach((node, position) -> nodes.putIfAbsent(node, cpus.size() + position));
        List<Cpu> order = coresFirst(cpus);
        // Stable: within a domain fast cores stand before slow ones, and slow ones before the siblings of fast ones.
        order.sort(Comparator.<Cpu>comparingInt(cpu -> fastest.get(domain(cpu, l3)))
                .thenComparingInt(cpu -> nodes.get(cpu.node()))
                .thenComparingInt(Cpu::pkg)
                .thenComparingInt(cpu -> Cpus.knownFirst(l3.applyAsInt(cpu))));
        return order;
    }

    private static List<Integer> domain(Cpu cpu, ToIntFunction<Cpu> l3) {
        return List.of(cpu.pkg(), cpu.node(), l3.applyAsInt(cpu));
    }

    /** Alternating among nodes, in each among packages, in each among L3 domains; further hardware threads at the end. */
    private static List<Cpu> spread(Planning planning) {
        List<Cpu> cpus = planning.usable();
        Interleaving interleaving = new Interleaving(NodeOrder.farthestFirst(planning.topology(), cpus));
        List<Cpu> order = new ArrayList<>();
        for (List<Cpu> level : Cpus.levels(cpus)) {
            for (List<Cpu> kind :
                    Cpus.grouped(level, cpu -> cpu.kind().ordinal()).values()) {
                order.addAll(interleaving.of(kind));
            }
        }
        return order;
    }

    @Override
    public String description() {
        return order.description;
    }

    @Override
    public String toString() {
        return order.name().toLowerCase(Locale.ROOT);
    }
}
