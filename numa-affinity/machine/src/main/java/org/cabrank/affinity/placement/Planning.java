package org.cabrank.affinity.placement;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
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

/** One plan in the making: what it starts from, and what went otherwise than asked for. */
final class Planning {
    private final Placement placement;
    private final Topology topology;
    private final int shardsWanted;
    private final int threadsPerShard;
    private final boolean strict;
    private final MemoryOfCpus memory;
    private final List<String> warnings = new ArrayList<>();
    private ProcessLimits limits;

    /** The placement without its kind of cores; empty if the placement takes no kind. */
    private String withoutKind;

    private int shardsPlanned;
    private boolean compromised;
    private boolean limitedByQuota;

    /** @param shardsWanted 0: as many as fit */
    Planning(
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

    /**
     * Leaves the cores of one kind to the plan, or all of them if this process may use none of the kind.
     *
     * @param all the placement without the kind
     */
    Planning onCoresOf(CoreKind kind, String all) throws PlacementException {
        withoutKind = all;
        boolean alike = !topology.hybrid() && kind == CoreKind.PERFORMANCE;
        CpuList ofKind = limits.usable()
                .filter(id -> topology.cpu(id)
                        .filter(cpu -> cpu.kind() == kind || alike)
                        .isPresent());
        if (ofKind.isEmpty()) {
            compromise(
                    "there is no " + kind.word() + " core that this process may use",
                    "cores of all kinds are taken",
                    "ask for " + all + ", or for another kind of cores");
        } else {
            limits = limits.withUsable(ofKind);
        }
        return this;
    }

    Topology topology() {
        return topology;
    }

    ProcessLimits limits() {
        return limits;
    }

    int threadsPerShard() {
        return threadsPerShard;
    }

    /** The CPUs that this process may use as it is. */
    List<Cpu> usable() {
        return online(limits.usable());
    }

    /** The online CPUs of {@code cpus}. */
    List<Cpu> online(CpuList cpus) {
        return topology.cpus().stream()
                .filter(cpu -> cpu.online() && cpus.contains(cpu.id()))
                .toList();
    }

    /**
     * The isolated CPUs that this process can pin threads to. The kernel takes isolated CPUs out of the mask that every
     * process inherits (isolcpus=), and lets a thread go there whose cpuset does not forbid it.
     */
    List<Cpu> isolated() {
        return topology.cpus().stream()
                .filter(cpu -> cpu.online() && cpu.isolated() && inCpuset(cpu.id()) && reachable(cpu))
                .toList();
    }

    /**
     * Returns true if the CPU is usable, or isolated by the kernel's parameter, which takes it out of the mask. A CPU that
     * another service has reserved is never reachable.
     */
    boolean reachable(Cpu cpu) {
        return limits.usable().contains(cpu.id())
                || cpu.isolated()
                        && !limits.affinityMask().contains(cpu.id())
                        && !limits.reserved().contains(cpu.id());
    }

    /** Returns true if the cpuset lets this process use {@code cpu}, or no cpuset is known. */
    boolean inCpuset(int cpu) {
        return limits.cpusetCpus().isEmpty() || limits.cpusetCpus().contains(cpu);
    }

    /**
     * Moves CPUs whose own node has memory for this process to the front. A second hardware thread of a core still comes
     * after all other cores, because sharing a core costs more than distant memory.
     */
    List<Cpu> localMemoryFirst(List<Cpu> order) {
        if (order.stream().allMatch(memory::isLocal)) {
            return order;
        }
        Map<Cpu, Integer> ranks = Cpus.ranks(order, Cpus.BY_PLACE);
        return order.stream()
                .sorted(Comparator.<Cpu, Integer>comparing(ranks::get)
                        .thenComparing(Cpu::kind)
                        .thenComparing(cpu -> !memory.isLocal(cpu)))
                .toList();
    }

    /** The CPUs whose own node has memory for this process. */
    List<Cpu> withLocalMemory(List<Cpu> cpus) {
        return cpus.stream().filter(memory::isLocal).toList();
    }

    /** Moves sets of CPUs with memory of their own node to the front, within each kind of cores. */
    List<List<Cpu>> localMemoryOfDomainsFirst(Collection<List<Cpu>> domains) {
        return domains.stream()
                .sorted(Comparator.<List<Cpu>, CoreKind>comparing(
                                domain -> domain.get(0).kind())
                        .thenComparing(domain -> !memory.isLocal(domain.get(0))))
                .toList();
    }

    /** Number of shards to plan, if {@code places} shards fit without sharing and each has a CPU for every thread. */
    int shards(int places) {
        return shards(places, threadsPerShard);
    }

    /**
     * Number of shards to plan, if {@code places} shards fit without sharing.
     *
     * @param cpusEach maximum number of CPUs of each shard; a quota keeps correspondingly fewer shards busy
     */
    int shards(int places, int cpusEach) {
        if (shardsWanted > 0) {
            shardsPlanned = shardsWanted;
            return shardsPlanned;
        }
        int fit = Math.max(1, Math.min(places, Placement.SHARDS_MAX));
        int busy = Math.max(1, limits.quotaCpus() / Math.max(1, Math.min(cpusEach, threadsPerShard)));
        limitedByQuota = busy < fit;
        shardsPlanned = Math.min(fit, busy);
        return shardsPlanned;
    }

    /**
     * Notes that the plan differs from the request.
     *
     * @param cause the reason why the request cannot be fulfilled
     * @param instead the action taken instead
     * @param remedy advice to the user
     * @throws PlacementException if the placement is strict
     */
    void compromise(String cause, String instead, String remedy) throws PlacementException {
        if (strict) {
            throw new PlacementException(cause + "; " + remedy);
        }
        compromised = true;
        warnings.add(cause + ": " + instead + "; " + remedy);
    }

    /** Notes that the shards of the plan, with {@code each} CPUs, share the {@code cpus} CPUs that there are. */
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

    /** Warns of something that is as asked for, and may disappoint. */
    void warn(String warning) {
        warnings.add(warning);
    }

    /** Returns true if a cpuset, such as a container's, leaves CPUs of the machine out. */
    boolean confined() {
        return !limits.cpusetCpus().isEmpty() && !limits.cpusetCpus().containsAll(topology.online());
    }

    /** A place whose threads take turns over {@code cpus}, one CPU for each. */
    ShardPlace inTurn(int shard, List<Cpu> cpus, String why) {
        List<CpuList> threads = new ArrayList<>(threadsPerShard);
        for (int thread = 0; thread < threadsPerShard; thread++) {
            threads.add(CpuList.of(cpus.get(thread % cpus.size()).id()));
        }
        return new ShardPlace(shard, Cpus.list(cpus), threads, memory.nodeOf(cpus), why + memory.remote(cpus));
    }

    /** A place each of whose threads may run on all of {@code cpus}. */
    ShardPlace floating(int shard, List<Cpu> cpus, String why) {
        CpuList all = Cpus.list(cpus);
        return new ShardPlace(
                shard, all, Collections.nCopies(threadsPerShard, all), memory.nodeOf(cpus), why + memory.remote(cpus));
    }

    /** The rule of the placement that pins nothing. */
    PlacementPlan unpinned() throws PlacementException {
        return unpinned(
                shards(Math.max(1, limits.usable().size() / threadsPerShard)),
                "not pinned: the scheduler moves its threads among CPU " + limits.usable());
    }

    /** A plan whose threads run wherever the scheduler puts them. */
    PlacementPlan unpinned(int count, String why) throws PlacementException {
        CpuList none = CpuList.of();
        List<CpuList> threads = Collections.nCopies(threadsPerShard, none);
        int node = memory.nodeOf(usable());
        return plan(
                "nothing is pinned",
                IntStream.range(0, count)
                        .mapToObj(shard -> new ShardPlace(shard, none, threads, node, why))
                        .toList());
    }

    /** A plan in which the threads of each shard take turns over its CPUs. */
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

    /** @param what a description of the placement's effect */
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

    /** Warns where shards run on unlike cores. That is no compromise: the machine is as the user has bought it. */
    private void noteKinds(List<ShardPlace> shards) {
        if (placement.namesCpus() || !topology.hybrid()) {
            return;
        }
        Map<String, List<Integer>> shardsOfKinds = new LinkedHashMap<>();
        for (ShardPlace shard : shards) {
            String kinds = online(shard.cpus()).stream()
                    .map(Cpu::kind)
                    .distinct()
                    .sorted()
                    .map(CoreKind::word)
                    .collect(Collectors.joining(" and "));
            shardsOfKinds.computeIfAbsent(kinds, none -> new ArrayList<>()).add(shard.shard());
        }
        if (shardsOfKinds.size() == 1
                && !shardsOfKinds.keySet().iterator().next().contains(" ")) {
            return;
        }
        String words = shardsOfKinds.entrySet().stream()
                .map(entry -> Cpus.shards(CpuList.of(entry.getValue())) + " on " + entry.getKey() + " cores")
                .collect(Collectors.joining(", "));
        String remedy =
                (withoutKind.isEmpty() ? "ask for fewer shards or threads" : "ask for " + withoutKind + ":performance")
                        + " where that is too slow";
        warnings.add("the plan mixes kinds of cores: " + words + "; " + remedy);
    }

    /** Warns of shards whose memory is on another node than their CPUs. */
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
        int busy = busy(shards);
        String stopped = "whenever they have used the quota up the kernel stops them all for the rest of its period";
        if (limits.quotaCpus() < shards.size()) {
            String cause = "the cgroup's quota is " + quota() + ", and " + Cpus.count(shards.size(), "shard")
                    + " can keep as many CPUs busy";
            String remedy = "ask for " + Cpus.count(limits.quotaCpus(), "shard") + " or raise the quota (cpu.max)";
            if (strict) {
                throw new PlacementException(cause + "; " + remedy);
            }
            // No compromise: each shard is where it was meant to be.
            warnings.add(cause + ": they start all the same, and " + stopped + "; " + remedy);
        } else if (limits.quotaCpus() < busy) {
            // Never refused: further threads are of use to handlers that wait, and then use no time.
            warnings.add("the cgroup's quota is " + quota() + ", and " + Cpus.count(shards.size(), "shard") + " x "
                    + Cpus.count(threadsPerShard, "thread") + " may keep " + busy + " CPUs busy: " + stopped
                    + "; ask for fewer shards or threads unless handlers wait most of their time, or raise the quota"
                    + " (cpu.max)");
        }
    }

    /**
     * Number of threads that may run at once: of each shard at most one for each of its CPUs, and of all shards at most one
     * for each CPU.
     */
    private static int busy(List<ShardPlace> shards) {
        long threads = shards.stream()
                .mapToLong(
                        shard -> Math.min(shard.threads().size(), shard.cpus().size()))
                .sum();
        long cpus = shards.stream()
                .flatMapToInt(shard -> shard.cpus().cpus())
                .distinct()
                .count();
        return (int) Math.min(threads, cpus);
    }

    private String quota() {
        return "the time of " + number(limits.cpuQuota()) + " CPUs";
    }

    private static String number(double quota) {
        return BigDecimal.valueOf(quota)
                .setScale(2, RoundingMode.HALF_UP)
                .stripTrailingZeros()
                .toPlainString();
    }
}
