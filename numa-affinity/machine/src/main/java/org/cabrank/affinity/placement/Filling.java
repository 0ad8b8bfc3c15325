package org.cabrank.affinity.placement;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IntSummaryStatistics;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.cabrank.affinity.CpuList;
import org.cabrank.affinity.topology.CoreKind;
import org.cabrank.affinity.topology.Cpu;

/** Rules that give CPUs to the shards of a plan. */
final class Filling {
    private static final int CPUS_CHARACTERS_MAX = 60;

    private Filling() {}

    static PlacementPlan unpinned(Planner planner) throws PlacementException {
        CpuList usable = planner.limits().usable();
        return planner.unpinned(
                planner.shards(usable.size() / planner.threadsPerShard(), planner.threadsPerShard()),
                "not pinned: the scheduler moves its threads among CPU " + usable);
    }

    static PlacementPlan cores(Planner planner, List<Cpu> order) throws PlacementException {
        int cores = Cpus.cores(order);
        int shards = planner.shards(cores, 1);
        if (shards > cores && cores > 0) {
            planner.compromise(
                    "there are " + Cpus.count(shards, "shard") + " but only " + Cpus.count(cores, "core")
                            + " that this process may use",
                    shards <= order.size()
                            ? "the further ones go on the cores' other hardware threads"
                            : "shards share CPUs in turn",
                    "ask for " + Cpus.count(cores, "shard"));
        }
        return oneEach(
                planner,
                "a core for each shard, its other hardware threads left idle",
                order,
                shards,
                cpu -> shards > cores ? "" : siblings(planner, cpu));
    }

    static PlacementPlan threads(Planner planner, List<Cpu> order) throws PlacementException {
        int shards = planner.shards(order.size(), 1);
        planner.checkEnough(1, order.size());
        return oneEach(planner, "a hardware thread for each shard", order, shards, cpu -> "");
    }

    private static PlacementPlan oneEach(
            Planner planner, String what, List<Cpu> order, int shards, Function<Cpu, String> besides)
            throws PlacementException {
        String turns = planner.threadsPerShard() == 1 ? "" : "its threads take turns on ";
        List<List<Cpu>> cpusOfShards = IntStream.range(0, order.isEmpty() ? 0 : shards)
                .mapToObj(shard -> List.of(order.get(shard % order.size())))
                .toList();
        return planner.inTurn(
                what, cpusOfShards, (shard, cpus) -> turns + Cpus.where(cpus) + besides.apply(cpus.get(0)));
    }

    private static String siblings(Planner planner, Cpu cpu) {
        CpuList others = planner.topology().smtSiblings(cpu.id()).without(CpuList.of(cpu.id()));
        if (others.isEmpty()) {
            return "";
        }
        boolean one = others.size() == 1;
        return (one ? "; sibling CPU " : "; siblings CPU ")
                + others
                + (!planner.limits().usable().containsAll(others)
                        ? " may be busy with other processes"
                        : one ? " stays idle" : " stay idle");
    }

    static PlacementPlan packed(Planner planner, List<Cpu> order) throws PlacementException {
        return dealt(planner, order, true, "packed in ", "as near together as can be");
    }

    static PlacementPlan spread(Planner planner, List<Cpu> order) throws PlacementException {
        return dealt(planner, order, false, "spread to ", "as far apart as can be");
    }

    static PlacementPlan isolated(Planner planner, List<Cpu> order) throws PlacementException {
        if (!order.isEmpty()) {
            return dealt(planner, order, false, "", "on isolated CPUs, where the scheduler puts nothing else");
        }
        CpuList cpuset = planner.limits().cpusetCpus();
        boolean confined =
                !cpuset.isEmpty() && !cpuset.containsAll(planner.topology().online());
        planner.compromise(
                "this machine has no isolated CPU that this process may use",
                "shards are packed on its other CPUs",
                confined
                        ? "the cpuset of a cgroup, such as a container's, holds this process to CPU "
                                + planner.limits().usable().brief(CPUS_CHARACTERS_MAX)
                                + ": whoever runs the host must isolate CPUs (isolcpus=LIST) and give them to that cgroup's"
                                + " cpuset.cpus, or make the cgroup an isolated partition (cpuset.cpus.partition)"
                        : "isolate some with the kernel's parameter isolcpus=LIST (that of the host, for a container), or run"
                                + " this process in a cgroup whose cpuset.cpus.partition is isolated");
        return packed(planner, Orders.packed(planner));
    }

    /** Gives each thread a CPU. A shard begins with the next free CPU of {@code order} and continues with CPUs near it. */
    private static PlacementPlan dealt(Planner planner, List<Cpu> order, boolean tight, String how, String what)
            throws PlacementException {
        int each = planner.threadsPerShard();
        int cores = Cpus.cores(order);
        int shards = planner.shards(cores / each, each);
        planner.checkEnough(each, order.size());
        List<List<Cpu>> dealt =
                order.isEmpty() ? List.of() : Dealer.deal(planner.topology(), order, shards, each, tight);
        List<CpuList> sharing = sharing(dealt);
        if (order.stream().allMatch(Cpu::isolated) && (long) shards * each <= order.size()) {
            warnOfSharing(planner, sharing, cores);
        }
        boolean hybrid = planner.topology().hybrid();
        return planner.inTurn(what, dealt, (shard, cpus) -> {
            String shared = sharing.get(shard).isEmpty() && hybrid && Cpus.shareCore(cpus)
                    ? "; its threads share a core rather than go to slower cores"
                    : shared(sharing.get(shard));
            boolean isolated = cpus.stream().allMatch(Cpu::isolated);
            boolean tickless = cpus.stream().allMatch(Cpu::nohzFull);
            return how + Cpus.where(cpus) + shared + (isolated ? "; isolated" : "") + (tickless ? "; nohz_full" : "");
        });
    }

    static List<CpuList> sharing(List<List<Cpu>> cpusOfShards) {
        Map<Integer, Integer> firstOn = new HashMap<>();
        List<CpuList> sharing = new ArrayList<>();
        for (List<Cpu> cpus : cpusOfShards) {
            int shard = sharing.size();
            cpus.forEach(cpu -> firstOn.putIfAbsent(cpu.core(), shard));
            sharing.add(CpuList.of(cpus.stream()
                    .mapToInt(cpu -> firstOn.get(cpu.core()))
                    .filter(first -> first != shard)
                    .toArray()));
        }
        return sharing;
    }

    static String shared(CpuList others) {
        return others.isEmpty()
                ? ""
                : (others.size() == 1 ? "; on the core of " : "; on the cores of ") + Cpus.shards(others);
    }

    /** Warns if shards share cores. This is no compromise, because each shard has an isolated CPU as requested. */
    private static void warnOfSharing(Planner planner, List<CpuList> others, int cores) {
        CpuList sharing = CpuList.of(IntStream.range(0, others.size())
                .filter(shard -> !others.get(shard).isEmpty())
                .toArray());
        if (!sharing.isEmpty()) {
            planner.warn("there are " + Cpus.count(others.size(), "shard") + " but only "
                    + Cpus.count(cores, "isolated core") + ": " + Cpus.shards(sharing)
                    + (sharing.size() == 1 ? " runs" : " run")
                    + " on hardware threads of cores that other shards use, and they slow each other down; ask for "
                    + Cpus.count(Math.max(1, cores / planner.threadsPerShard()), "shard") + " or isolate more cores");
        }
    }

    static PlacementPlan smt(Planner planner, List<Cpu> order) throws PlacementException {
        List<List<Cpu>> cores = Cpus.grouped(order, Cpu::core).values().stream()
                .sorted(Comparator.comparing(core -> core.get(0), Orders.BY_PLACE))
                .toList();
        return domains(
                planner,
                "a core",
                cores,
                (shard, cpus) -> planner.inTurn(
                        shard,
                        cpus,
                        (cpus.size() == 1 ? "" : "its threads share all hardware threads of ") + Cpus.where(cpus)));
    }

    static PlacementPlan nodes(Planner planner, List<Cpu> order) throws PlacementException {
        return domains(
                planner, "a node", Cpus.grouped(order, Cpu::node).values(), (shard, cpus) -> all(planner, shard, cpus));
    }

    /** Leaves out slow cores without an L3 cache. If no L3 cache is known, as on many Arm servers, a node is a domain. */
    static PlacementPlan l3(Planner planner, List<Cpu> order) throws PlacementException {
        List<Cpu> without = order.stream().filter(cpu -> cpu.l3() < 0).toList();
        List<Cpu> with = order.stream().filter(cpu -> cpu.l3() >= 0).toList();
        boolean slower = isSlower(without, with);
        if (slower) {
            planner.warn(
                    "CPU " + Cpus.list(without) + " ("
                            + without.get(0).kind().word()
                            + " cores) is outside every L3 cache, and is left out; ask for node, or name CPUs in a list, to use these cores");
        } else if (!without.isEmpty()) {
            planner.compromise(
                    "the kernel shows no L3 cache for "
                            + (with.isEmpty() ? "any of the CPUs" : "CPU " + Cpus.list(without)),
                    "those of a node are taken for one domain",
                    "ask for the placement node");
        }
        return domains(
                planner,
                "an L3 domain",
                Cpus.grouped(slower ? with : order, cpu -> cpu.l3() < 0 ? CpuList.CPUS_MAX + cpu.node() : cpu.l3())
                        .values(),
                (shard, cpus) -> all(planner, shard, cpus));
    }

    private static boolean isSlower(List<Cpu> cpus, List<Cpu> others) {
        return !cpus.isEmpty()
                && !others.isEmpty()
                && cpus.stream()
                        .allMatch(cpu ->
                                others.stream().allMatch(other -> cpu.kind().compareTo(other.kind()) > 0));
    }

    /** Lets the scheduler move the shard's threads among all {@code cpus}. */
    private static ShardPlace all(Planner planner, int shard, List<Cpu> cpus) {
        // The scheduler does not balance over isolated CPUs. All threads would stay on the first of them.
        if (cpus.stream().anyMatch(Cpu::isolated)) {
            return planner.inTurn(
                    shard,
                    Orders.coresFirst(cpus),
                    "a CPU for each thread, as they are isolated, in " + Cpus.where(cpus));
        }
        return planner.floating(
                shard, cpus, "all " + Cpus.count(cpus.size(), "CPU") + " of " + Cpus.where(cpus) + " that may be used");
    }

    @FunctionalInterface
    private interface Place {
        ShardPlace of(int shard, List<Cpu> cpus);
    }

    /** Gives each shard a domain. Domains with fast cores come first. Among equal domains, those on nodes with memory come first. */
    private static PlacementPlan domains(Planner planner, String what, Collection<List<Cpu>> found, Place place)
            throws PlacementException {
        if (found.isEmpty()) {
            return threads(planner, List.of());
        }
        List<List<Cpu>> domains = found.stream()
                .sorted(Comparator.<List<Cpu>, CoreKind>comparing(
                                cpus -> cpus.get(0).kind())
                        .thenComparing(cpus -> !planner.memory().isLocal(cpus.get(0))))
                .toList();
        int shards = planner.shards(domains.size(), domains.get(0).size());
        if (shards > domains.size()) {
            planner.compromise(
                    "there are " + Cpus.count(shards, "shard") + " but only "
                            + Cpus.count(domains.size(), what.substring(what.indexOf(' ') + 1))
                            + " that this process may use",
                    "they share them in turn",
                    "ask for " + Cpus.count(domains.size(), "shard"));
        }
        List<ShardPlace> places = IntStream.range(0, shards)
                .mapToObj(shard -> place.of(shard, domains.get(shard % domains.size())))
                .toList();
        // The summary says if domains differ in size, because each shard gets an equal part of the load.
        IntSummaryStatistics sizes =
                domains.stream().limit(shards).mapToInt(List::size).summaryStatistics();
        String uneven = sizes.getMin() == sizes.getMax()
                ? ""
                : ", which are uneven: " + sizes.getMin() + " to " + sizes.getMax() + " CPUs that may be used";
        return planner.plan(what + " for each shard" + uneven, places);
    }

    /** Divides the named CPUs among the shards, in ascending order. The threads of a shard use its CPUs in turn. */
    static PlacementPlan listed(Planner planner, CpuList cpus) throws PlacementException {
        List<Cpu> listed = reachable(planner, cpus);
        int each = planner.threadsPerShard();
        int shards = planner.shards(listed.size() / each, each);
        if (listed.isEmpty()) {
            return planner.unpinned(shards, "not pinned: of the CPUs that were named none can be used");
        }
        if (shards > listed.size()) {
            planner.compromise(
                    "there are " + Cpus.count(shards, "shard") + " for " + Cpus.count(listed.size(), "CPU"),
                    "they share CPUs in turn",
                    "name as many CPUs as there are shards");
        }
        long used = Math.min(listed.size(), (long) shards * each);
        List<List<Cpu>> shares = IntStream.range(0, shards)
                .mapToObj(shard -> used < shards
                        ? List.of(listed.get((int) (shard % used)))
                        : listed.subList((int) (shard * used / shards), (int) ((shard + 1) * used / shards)))
                .toList();
        return planner.inTurn(
                "CPUs named by the user", shares, (shard, share) -> "named by the user: " + Cpus.where(share));
    }

    private static List<Cpu> reachable(Planner planner, CpuList cpus) throws PlacementException {
        Map<Integer, Cpu> byId = planner.topology().cpus().stream().collect(Collectors.toMap(Cpu::id, cpu -> cpu));
        Map<String, CpuList> refused = new TreeMap<>();
        List<Cpu> reachable = new ArrayList<>();
        cpus.cpus().forEach(id -> {
            Cpu cpu = byId.get(id);
            String unusableReason = cpu == null ? "does not exist on this machine" : planner.unusableReason(cpu);
            if (unusableReason == null) {
                reachable.add(cpu);
            } else {
                refused.merge(unusableReason, CpuList.of(id), CpuList::union);
            }
        });
        for (Map.Entry<String, CpuList> cause : refused.entrySet()) {
            planner.compromise(
                    "CPU " + cause.getValue() + " " + cause.getKey(),
                    reachable.isEmpty()
                            ? "nothing is pinned"
                            : "only " + Cpus.list(reachable) + " of the list " + cpus + " is used",
                    "this process may use " + planner.limits().usable());
        }
        return reachable;
    }
}
