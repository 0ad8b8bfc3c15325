package org.cabrank.affinity.placement;

import java.util.List;
import java.util.stream.IntStream;
import org.cabrank.affinity.CpuList;
import org.cabrank.affinity.topology.Cpu;

/** Rules that deal out single CPUs in some order. */
final class OneByOne {
    private static final int CPUS_CHARACTERS_MAX = 60;

    private OneByOne() {}

    /** One CPU for each shard, no two on a core. */
    static PlacementPlan cores(Planning planning) throws PlacementException {
        List<Cpu> all = planning.localMemoryFirst(Cpus.coresFirst(planning.usable()));
        int cores = Cpus.cores(all);
        int shards = planning.shards(cores, 1);
        if (shards > cores && cores > 0) {
            planning.compromise(
                    "there are " + Cpus.count(shards, "shard") + " but only " + Cpus.count(cores, "core")
                            + " that this process may use",
                    shards <= all.size()
                            ? "the further ones go on the cores' other hardware threads"
                            : "shards share CPUs in turn",
                    "ask for " + Cpus.count(cores, "shard"));
        }
        return planning.inTurn(
                "a core for each shard, its other hardware threads left idle",
                oneEach(all, shards),
                (shard, cpus) -> turns(planning) + Cpus.where(cpus) + besides(planning, cpus.get(0), shards > cores));
    }

    /** One CPU for each shard. */
    static PlacementPlan threads(Planning planning) throws PlacementException {
        List<Cpu> all = planning.localMemoryFirst(Cpus.coresFirst(planning.usable()));
        int shards = planning.shards(all.size(), 1);
        planning.checkEnough(1, all.size());
        return planning.inTurn(
                "a hardware thread for each shard",
                oneEach(all, shards),
                (shard, cpus) -> turns(planning) + Cpus.where(cpus));
    }

    private static List<List<Cpu>> oneEach(List<Cpu> cpus, int shards) {
        return cpus.isEmpty()
                ? List.of()
                : IntStream.range(0, shards)
                        .mapToObj(shard -> List.of(cpus.get(shard % cpus.size())))
                        .toList();
    }

    private static String turns(Planning planning) {
        return planning.threadsPerShard() == 1 ? "" : "its threads take turns on ";
    }

    /**
     * Describes the other hardware threads of the CPU's core.
     *
     * @param used true if other shards use them
     */
    private static String besides(Planning planning, Cpu cpu, boolean used) {
        CpuList others = planning.topology().smtSiblings(cpu.id()).without(CpuList.of(cpu.id()));
        if (others.isEmpty() || used) {
            return "";
        }
        boolean one = others.size() == 1;
        return (one ? "; sibling CPU " : "; siblings CPU ")
                + others
                + (!planning.limits().usable().containsAll(others)
                        ? " may be busy with other processes"
                        : one ? " stays idle" : " stay idle");
    }

    /** One CPU for each thread, the next one in the neighbourhood. */
    static PlacementPlan packed(Planning planning) throws PlacementException {
        return dealt(planning, Orders.packed(planning), true, "packed in ", "as near together as can be");
    }

    /** One CPU for each thread, each shard's first one as far as possible from those before. */
    static PlacementPlan spread(Planning planning) throws PlacementException {
        List<Cpu> order = planning.localMemoryFirst(Orders.spread(planning));
        return dealt(planning, order, false, "spread to ", "as far apart as can be");
    }

    /** One CPU for each thread, of isolated ones: no two on a core before each core has one. */
    static PlacementPlan isolated(Planning planning) throws PlacementException {
        List<Cpu> isolated = Cpus.coresFirst(planning.isolated());
        if (!isolated.isEmpty()) {
            return dealt(planning, isolated, false, "", "on isolated CPUs, where the scheduler puts nothing else");
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
        return packed(planning);
    }

    /**
     * Plans a CPU for each thread: the first CPU of each shard by {@code order}, its further CPUs as near to the first as possible.
     *
     * @param tight use no CPUs but the first ones of {@code order}
     */
    private static PlacementPlan dealt(Planning planning, List<Cpu> order, boolean tight, String how, String what)
            throws PlacementException {
        int each = planning.threadsPerShard();
        int cores = Cpus.cores(order);
        int shards = planning.shards(cores / each);
        planning.checkEnough(each, order.size());
        List<List<Cpu>> dealt =
                order.isEmpty() ? List.of() : Dealer.deal(planning.topology(), order, shards, each, tight);
        CoreSharing sharing = new CoreSharing(dealt, planning.topology().hybrid());
        if (order.stream().allMatch(Cpu::isolated) && (long) shards * each <= order.size()) {
            sharing.warn(planning, cores);
        }
        return planning.inTurn(
                what, dealt, (shard, cpus) -> how + Cpus.where(cpus) + sharing.words(shard) + marks(cpus));
    }

    private static String marks(List<Cpu> cpus) {
        boolean isolated = cpus.stream().allMatch(Cpu::isolated);
        boolean tickless = cpus.stream().allMatch(Cpu::nohzFull);
        return (isolated ? "; isolated" : "") + (tickless ? "; nohz_full" : "");
    }
}
