package org.cabrank.affinity.placement;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import org.cabrank.affinity.CpuList;
import org.cabrank.affinity.limits.ProcessLimits;
import org.cabrank.affinity.topology.CoreKind;
import org.cabrank.affinity.topology.Topology;

/** A rule for where shards and their threads go. Immutable; the same machine and limits give the same plan. */
public sealed interface Placement permits Unpinned, PerDomain, OneByOne, NearInterface, Listed, OfKind {
    /** Most shards of a plan, asked for or by default, and most shards of a reactor. */
    int SHARDS_MAX = 1_024;

    /**
     * Plans the CPUs and memory node of {@code shards} shards with {@code threadsPerShard} threads each. Uses only CPUs
     * that {@code limits} leaves to this process. Isolated CPUs, which the kernel takes out of every process's mask, are
     * used only if the placement names them, by number or as "isolated".
     *
     * <p>A request that cannot be fulfilled (a CPU that does not exist, more shards than CPUs, a quota of fewer CPUs than
     * shards, no isolated CPU) is fulfilled as far as possible, with a warning in the plan.
     *
     * <p>A quota is compared with the number of threads that may run at once: of each shard at most one for each of its
     * CPUs. If these are more than the quota, the plan warns. Only more shards than the quota allows are refused, because
     * further threads are useful to handlers that wait.
     *
     * @param shards 1 to {@link #SHARDS_MAX}; 0: as many as the machine has places for, and no more than the quota keeps
     *     busy with all their threads
     * @param strict true: throw instead of warning
     * @throws PlacementException only if {@code strict}
     * @throws IllegalArgumentException if {@code shards} is negative or too large, or {@code threadsPerShard} is below 1
     */
    PlacementPlan plan(Topology topology, ProcessLimits limits, int shards, int threadsPerShard, boolean strict)
            throws PlacementException;

    /** Effect of the placement: a clause without a period, for help texts. */
    String description();

    /** Returns the placements that a user can choose by name alone. */
    static List<Placement> values() {
        return List.of(none(), cores(), smt(), threads(), l3(), node(), pack(), spread(), isolated());
    }

    /** The text that {@link #parse} turns into this placement. */
    @Override
    String toString();

    /** Nothing is pinned. */
    static Placement none() {
        return new Unpinned();
    }

    /** A shard on each core, whose further hardware threads (SMT siblings) stay idle. */
    static Placement cores() {
        return new OneByOne(OneByOne.Order.CORES);
    }

    /** A shard on each core, whose threads use all hardware threads of the core. */
    static Placement smt() {
        return new PerDomain(PerDomain.Domain.CORE);
    }

    /** A shard on each hardware thread; a second one on a core only when every core has one. */
    static Placement threads() {
        return new OneByOne(OneByOne.Order.THREADS);
    }

    /**
     * A shard on each set of CPUs that share an L3 cache, whose threads may run on any of them. Slow cores of a hybrid machine
     * that no L3 cache reaches are left out; where the kernel shows no L3 cache at all, each memory node is a domain.
     */
    static Placement l3() {
        return new PerDomain(PerDomain.Domain.L3);
    }

    /** A shard on each memory node, whose threads may run on any of its CPUs. */
    static Placement node() {
        return new PerDomain(PerDomain.Domain.NODE);
    }

    /**
     * A CPU for each thread, in as few L3 domains and nodes as will do: the rest of the machine stays free. On a hybrid machine
     * shards of several threads use all hardware threads of fast cores before slower cores, as the threads of a shard take turns
     * and share its data; shards of one thread use slower cores of the same L3 domain before a core of another shard.
     */
    static Placement pack() {
        return new OneByOne(OneByOne.Order.PACK);
    }

    /**
     * A CPU for each thread; a shard's threads near together, the shards as far apart as can be, on cores of nodes with
     * memory before other cores. On a hybrid machine threads of a shard use fast cores as {@link #pack} does.
     */
    static Placement spread() {
        return new OneByOne(OneByOne.Order.SPREAD);
    }

    /**
     * A CPU for each thread, of those that are isolated: by kernel parameter isolcpus or by a partition of cgroups. The plan warns
     * where shards share cores, as there are more of them than isolated cores.
     */
    static Placement isolated() {
        return new OneByOne(OneByOne.Order.ISOLATED);
    }

    /**
     * A CPU for each thread, on the node of this network interface, first those of cores that serve none of its interrupts.
     * As many shards by default as there are such cores, or, where every core serves interrupts, as there are cores.
     */
    static Placement nearInterface(String name) {
        return new NearInterface(name);
    }

    /** Returns a placement on these CPUs in turn: shard 0's threads on the first ones, and so on. */
    static Placement on(CpuList cpus) {
        return new Listed(cpus);
    }

    /**
     * This placement on cores of one kind only, where the machine has several. A machine whose cores are all alike has
     * performance cores.
     *
     * @throws IllegalArgumentException for a placement that takes no kind: {@code none}, {@code isolated}, {@code nic:NAME}, a
     *     list of CPUs, or one of a kind already; and for {@link CoreKind#UNIFORM}
     */
    default Placement ofKind(CoreKind kind) {
        if (!OfKind.suits(this) || kind == CoreKind.UNIFORM) {
            throw new IllegalArgumentException("'" + this + "' takes no kind of cores such as " + OfKind.word(kind)
                    + ": right would be cores:performance for instance");
        }
        return new OfKind(this, kind);
    }

    /**
     * From {@code none}, {@code cores}, {@code smt}, {@code threads}, {@code l3}, {@code node}, {@code pack}, {@code
     * spread}, {@code isolated}, {@code nic:NAME} or a list of CPUs such as {@code 0-3,8}. The seven from {@code cores} to
     * {@code spread} may be followed by {@code :performance}, {@code :middle}, {@code :efficiency} or {@code :low-power}, the
     * kind of cores to use.
     *
     * @throws IllegalArgumentException saying what would be right
     */
    static Placement parse(String text) {
        Objects.requireNonNull(text, "text");
        if (!text.isEmpty() && Character.isDigit(text.charAt(0))) {
            return on(CpuList.parse(text));
        }
        if (text.startsWith(NearInterface.PREFIX) && text.length() > NearInterface.PREFIX.length()) {
            return nearInterface(text.substring(NearInterface.PREFIX.length()));
        }
        int separator = text.indexOf(OfKind.SEPARATOR);
        Optional<CoreKind> kind = separator < 0 ? Optional.empty() : OfKind.kind(text.substring(separator + 1));
        if (kind.isPresent()) {
            return parse(text.substring(0, separator)).ofKind(kind.get());
        }
        return values().stream()
                .filter(placement -> placement.toString().equals(text))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("'" + text + "' is no placement: right would be "
                        + values().stream().map(Placement::toString).collect(Collectors.joining(", "))
                        + " (all but none and isolated also with a kind of cores, such as cores:performance), nic:NAME or"
                        + " CPUs such as 0-3,8"));
    }
}
