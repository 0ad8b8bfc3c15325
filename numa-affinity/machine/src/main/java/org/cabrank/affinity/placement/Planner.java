package org.cabrank.affinity.placement;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.cabrank.affinity.CpuList;
import org.cabrank.affinity.limits.ProcessLimits;
import org.cabrank.affinity.topology.CoreKind;
import org.cabrank.affinity.topology.Cpu;
import org.cabrank.affinity.topology.Topology;

/** Builds one plan from the request and the machine. */
final class Planner {
    private final Placement placement;
    private final Topology topology;
    private final int shardsWanted;
    private final int threadsPerShard;
    private final boolean strict;
    private final MemoryOfCpus memory;
    private final List<String> warnings = new ArrayList<>();
    private ProcessLimits limits;

    private String withoutKind;

    private int shardsPlanned;
    private boolean compromised;
    private boolean limitedByQuota;

    Planner(
            Placement placement,
            Topology topology,
            ProcessLimits limits,
            int shardsWanted,
            int threadsPerShard,
            boolean strict) {
        if (shardsWanted < 0) {
            throw new IllegalArgumentException("shards must be at least 0 (as many as fit), but are " + shardsWanted);
        }
        if (shardsWanted > Placement.SHARDS_MAX) {
            throw new IllegalArgumentException(
                    "shards must be at most " + Placement.SHARDS_MAX + ", but are " + shardsWanted);
        }
        if (threadsPerShard < 1) {
            throw new IllegalArgumentException("threads per shard must be at least 1, but are " + threadsPerShard);
        }
        this.placement = placement;
        this.withoutKind = placement.takesKinds() ? placement.toString() : "";
        this.topology = topology.isolating(limits.isolated());
        this.limits = limits;
        this.shardsWanted = shardsWanted;
        this.threadsPerShard = threadsPerShard;
        this.strict = strict;
        this.memory = new MemoryOfCpus(topology, limits.cpusetMems());
    }

    /** Restricts the plan to cores of one kind. If this process may use none of these cores, the plan uses all cores. */
    Planner onCoresOf(CoreKind kind, String all) throws PlacementException {
        withoutKind = all;
        boolean alike = !topology.hybrid() && kind == CoreKind.PERFORMANCE;
        List<Cpu> ofKind =
                usable().stream().filter(cpu -> cpu.kind() == kind || alike).toList();
        if (ofKind.isEmpty()) {
            compromise(
                    "there is no " + kind.word() + " core that this process may use",
                    "cores of all kinds are taken",
                    "ask for " + all + ", or for another kind of cores");
        } else {
            limits = limits.withUsable(Cpus.list(ofKind));
        }
        return this;
    }

    Topology topology() {
        return topology;
    }

    ProcessLimits limits() {
        return limits;
    }

    MemoryOfCpus memory() {
        return memory;
    }

    int threadsPerShard() {
        return threadsPerShard;
    }

    List<Cpu> usable() {
        return online(limits.usable());
    }

    List<Cpu> online(CpuList cpus) {
        return topology.cpus().stream()
                .filter(cpu -> cpu.online() && cpus.contains(cpu.id()))
                .toList();
    }

    /** Returns text to follow the CPU's number, or null if the CPU can be used. CPUs of isolcpus= can be used, but are in no mask. */
    String unusableReason(Cpu cpu) {
        int id = cpu.id();
        if (!cpu.online()) {
            return "is offline";
        }
        if (!limits.cpusetCpus().isEmpty() && !limits.cpusetCpus().contains(id)) {
            return "is outside this process's cpuset";
        }
        if (limits.reserved().contains(id)) {
            return "is reserved by another service";
        }
        boolean reachable = limits.usable().contains(id)
                || cpu.isolated() && !limits.affinityMask().contains(id);
        return reachable ? null : "is outside this process's affinity mask";
    }

    /** Returns the requested number of shards. Without a request, returns {@code places}, or fewer if the quota is too small. */
    int shards(int places, int cpusEach) {
        int fit = Math.max(1, Math.min(places, Placement.SHARDS_MAX));
        int busy = Math.max(1, limits.quotaCpus() / Math.max(1, Math.min(cpusEach, threadsPerShard)));
        limitedByQuota = shardsWanted == 0 && busy < fit;
        shardsPlanned = shardsWanted > 0 ? shardsWanted : Math.min(fit, busy);
        return shardsPlanned;
    }

    /** Notes that the plan differs from the request, or throws if the placement is strict. */
    void compromise(String cause, String instead, String remedy) throws PlacementException {
        if (strict) {
            throw new PlacementException(cause + "; " + remedy);
        }
        compromised = true;
        warnings.add(cause + ": " + instead + "; " + remedy);
    }

    /** Notes a compromise if shards of {@code each} CPUs must share {@code cpus} CPUs. */
    void checkEnough(int each, int cpus) throws PlacementException {
        if ((long) shardsPlanned * each > cpus && cpus > 0) {
            compromise(
                    "there are " + Cpus.count(shardsPlanned, "shard")
                            + (each == 1 ? "" : " x " + Cpus.count(each, "thread")) + " but only "
                            + Cpus.count(cpus, "CPU") + " for them",
                    "they share CPUs in turn",
                    cpus < each ? "ask for fewer threads per shard" : "ask for " + Cpus.count(cpus / each, "shard"));
        }
    }

    void warn(String warning) {
        warnings.add(warning);
    }

    ShardPlace inTurn(int shard, List<Cpu> cpus, String why) {
        return place(
                shard,
                cpus,
                IntStream.range(0, threadsPerShard)
                        .mapToObj(thread ->
                                CpuList.of(cpus.get(thread % cpus.size()).id()))
                        .toList(),
                why);
    }

    ShardPlace floating(int shard, List<Cpu> cpus, String why) {
        return place(shard, cpus, Collections.nCopies(threadsPerShard, Cpus.list(cpus)), why);
    }

    private ShardPlace place(int shard, List<Cpu> cpus, List<CpuList> threads, String why) {
        return new ShardPlace(shard, Cpus.list(cpus), threads, memory.nodeOf(cpus), why + memory.remote(cpus));
    }

    PlacementPlan unpinned(int count, String why) throws PlacementException {
        List<CpuList> threads = Collections.nCopies(threadsPerShard, CpuList.of());
        int node = memory.nodeOf(usable());
        return plan(
                "nothing is pinned",
                IntStream.range(0, count)
                        .mapToObj(shard -> new ShardPlace(shard, CpuList.of(), threads, node, why))
                        .toList());
    }

    PlacementPlan inTurn(String what, List<List<Cpu>> cpusOfShards, BiFunction<Integer, List<Cpu>, String> why)
            throws PlacementException {
        if (cpusOfShards.isEmpty()) {
            compromise(
                    "no CPU is known that this process may use",
                    "nothing is pinned",
                    "look what 'taskset -p' and the cpuset cgroup say");
            return unpinned(shardsPlanned, "not pinned");
        }
        List<ShardPlace> places = new ArrayList<>();
        for (List<Cpu> cpus : cpusOfShards) {
            places.add(inTurn(places.size(), cpus, why.apply(places.size(), cpus)));
        }
        return plan(what, places);
    }

    PlacementPlan plan(String what, List<ShardPlace> shards) throws PlacementException {
        if (shards.get(0).pinned()) {
            checkQuota(shards);
            noteKinds(shards);
            noteRemoteMemory(shards);
        }
        String summary = "placement " + placement + ": " + Cpus.count(shards.size(), "shard")
                + (threadsPerShard == 1 ? "" : " x " + Cpus.count(threadsPerShard, "thread")) + ", " + what
                + (limitedByQuota ? "; no more shards, as the CPU quota is " + quota() : "");
        return new PlacementPlan(placement.toString(), summary, shards, warnings, compromised);
    }

    /** Warns if shards have different kinds of cores, but notes no compromise. */
    private void noteKinds(List<ShardPlace> shards) {
        if (placement.namesCpus() || !topology.hybrid()) {
            return;
        }
        Map<List<CoreKind>, CpuList> shardsOfKinds = new LinkedHashMap<>();
        for (ShardPlace shard : shards) {
            List<CoreKind> kinds = online(shard.cpus()).stream()
                    .map(Cpu::kind)
                    .distinct()
                    .sorted()
                    .toList();
            shardsOfKinds.merge(kinds, CpuList.of(shard.shard()), CpuList::union);
        }
        if (shardsOfKinds.keySet().stream().flatMap(List::stream).distinct().count() < 2) {
            return;
        }
        List<String> words = new ArrayList<>();
        shardsOfKinds.forEach((kinds, numbers) -> words.add(Cpus.shards(numbers) + " on "
                + kinds.stream().map(CoreKind::word).collect(Collectors.joining(" and ")) + " cores"));
        warnings.add("the plan mixes kinds of cores: " + String.join(", ", words) + "; "
                + (withoutKind.isEmpty()
                        ? "ask for fewer shards or threads"
                        : "ask for " + withoutKind + ":performance")
                + " where that is too slow");
    }

    private void noteRemoteMemory(List<ShardPlace> shards) {
        CpuList remote = CpuList.of(shards.stream()
                .filter(shard -> !memory.remote(online(shard.cpus())).isEmpty())
                .mapToInt(ShardPlace::shard)
                .toArray());
        if (!remote.isEmpty()) {
            warnings.add(Cpus.shards(remote)
                    + (remote.size() == 1 ? " runs" : " run")
                    + " on a node without memory for this process, and each access goes to another node; "
                    + (remote.size() < shards.size()
                            ? "ask for " + Cpus.count(shards.size() - remote.size(), "shard")
                            : "let this process use CPUs of nodes that have memory"));
        }
    }

    private void checkQuota(List<ShardPlace> shards) throws PlacementException {
        if (!limits.limitedByQuota()) {
            return;
        }
        String has = "the cgroup's quota is " + quota() + ", and " + Cpus.count(shards.size(), "shard");
        String stopped = "whenever they have used the quota up the kernel stops them all for the rest of its period";
        long busy = busy(shards);
        if (limits.quotaCpus() < shards.size()) {
            String cause = has + " can keep as many CPUs busy";
            String remedy = "ask for " + Cpus.count(limits.quotaCpus(), "shard") + " or raise the quota (cpu.max)";
            if (strict) {
                throw new PlacementException(cause + "; " + remedy);
            }
            // No compromise, because each shard is where it was planned.
            warnings.add(cause + ": they start all the same, and " + stopped + "; " + remedy);
        } else if (limits.quotaCpus() < busy) {
            // Only warns even if strict, because more threads help handlers that wait, and a thread that waits uses no
            // quota.
            warnings.add(has + " x " + Cpus.count(threadsPerShard, "thread") + " may keep " + busy + " CPUs busy: "
                    + stopped
                    + "; ask for fewer shards or threads unless handlers wait most of their time, or raise the"
                    + " quota (cpu.max)");
        }
    }

    /** Number of threads that may run at once: at most one on each CPU of a shard. Shards may share CPUs. */
    private long busy(List<ShardPlace> shards) {
        long threads = shards.stream()
                .mapToLong(shard -> Math.min(threadsPerShard, shard.cpus().size()))
                .sum();
        return Math.min(threads, PlacementPlan.cpus(shards).size());
    }

    private String quota() {
        BigDecimal cpus = BigDecimal.valueOf(limits.cpuQuota()).setScale(2, RoundingMode.HALF_UP);
        return "the time of " + cpus.stripTrailingZeros().toPlainString() + " CPUs";
    }
}
