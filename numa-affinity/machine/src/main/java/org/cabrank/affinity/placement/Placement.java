package org.cabrank.affinity.placement;

import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.cabrank.affinity.CpuList;
import org.cabrank.affinity.limits.ProcessLimits;
import org.cabrank.affinity.topology.CoreKind;
import org.cabrank.affinity.topology.Cpu;
import org.cabrank.affinity.topology.Topology;

/**
 * A rule that places shards and their threads. Immutable; the same machine and limits give the same plan. Placements with equal texts are
 * equal. A new placement needs a constant here, an order of CPUs, a rule that fills shards in this order, and an entry of {@link #values}.
 */
public final class Placement {
    /** Maximum number of shards of a plan and of a reactor. */
    public static final int SHARDS_MAX = 1_024;

    public static final Placement NONE = new Placement("none", "nothing is pinned", false, Filling::unpinned);

    public static final Placement CORES = new Placement(
            "cores",
            "a core for each shard, its other hardware threads idle",
            true,
            Orders::coresFirst,
            Filling::cores);

    public static final Placement SMT = new Placement(
            "smt", "a core for each shard, with all hardware threads", true, Orders::byPlace, Filling::smt);

    /** A shard on each hardware thread; a core gets a second shard only when every core has a shard. */
    public static final Placement THREADS =
            new Placement("threads", "a hardware thread for each shard", true, Orders::coresFirst, Filling::threads);

    /**
     * A shard on each set of CPUs that share an L3 cache; the shard's threads may run on any of these CPUs. Slow cores without an L3 cache
     * are left out; without any known L3 cache, each memory node is a domain.
     */
    public static final Placement L3 = new Placement(
            "l3",
            "an L3 domain for each shard, all over which its threads may run",
            true,
            Orders::byPlace,
            Filling::l3);

    public static final Placement NODE = new Placement(
            "node", "a node for each shard, all over which its threads may run", true, Orders::byPlace, Filling::nodes);

    /**
     * A CPU for each thread, in the fewest L3 domains and nodes that have enough CPUs. On a hybrid machine shards of several threads use
     * all hardware threads of fast cores before slower cores, because the threads of a shard take turns and share its data; shards of one
     * thread use slower cores of the same L3 domain before a core of another shard.
     */
    public static final Placement PACK =
            new Placement("pack", "a CPU for each thread, near together", true, Orders::packed, Filling::packed);

    /**
     * A CPU for each thread; a shard's threads near together, the shards as far apart as possible, cores of nodes with memory first. On a
     * hybrid machine threads of a shard use fast cores as {@link #PACK} does.
     */
    public static final Placement SPREAD = new Placement(
            "spread", "a CPU for each thread, the shards far apart", true, Orders::spread, Filling::spread);

    /**
     * A CPU for each thread, isolated by kernel parameter isolcpus or by a partition of cgroups. The plan warns if there are more shards
     * than isolated cores, so that some shards share a core.
     */
    public static final Placement ISOLATED = new Placement(
            "isolated", "a CPU for each thread, of isolated CPUs", false, Orders::isolated, Filling::isolated);

    private static final List<Placement> NAMED = List.of(NONE, CORES, SMT, THREADS, L3, NODE, PACK, SPREAD, ISOLATED);

    private static final String NIC = "nic:";
    private static final String KIND = ":";

    private final String text;
    private final String description;
    private final boolean takesKinds;
    private final Rule rule;

    @FunctionalInterface
    private interface Rule {
        PlacementPlan plan(Planner planner) throws PlacementException;
    }

    @FunctionalInterface
    private interface Fill {
        PlacementPlan plan(Planner planner, List<Cpu> order) throws PlacementException;
    }

    private Placement(
            String text, String description, boolean takesKinds, Function<Planner, List<Cpu>> order, Fill fill) {
        this(text, description, takesKinds, planner -> fill.plan(planner, order.apply(planner)));
    }

    /** @param takesKinds true if the placement can be restricted to cores of one kind */
    private Placement(String text, String description, boolean takesKinds, Rule rule) {
        this.text = text;
        this.description = description;
        this.takesKinds = takesKinds;
        this.rule = rule;
    }

    public static List<Placement> values() {
        return NAMED;
    }

    /**
     * A CPU for each thread on this network interface's node; cores that serve none of its interrupts come first. The default number of
     * shards is the number of such cores or, if every core serves interrupts, of all cores.
     */
    public static Placement nearInterface(String name) {
        return new Placement(
                NIC + name,
                "a CPU for each thread, near this network interface",
                false,
                planner -> NearInterface.plan(planner, name));
    }

    /** A placement on these CPUs in turn: shard 0's threads on the first, and so on. Threads of a single shard use all CPUs in turn. */
    public static Placement on(CpuList cpus) {
        if (cpus.isEmpty()) {
            throw new IllegalArgumentException("the list names no CPU; right would be 0-3,8 for instance");
        }
        return new Placement(
                cpus.toString(),
                "a share of these CPUs for each shard",
                false,
                planner -> Filling.listed(planner, cpus));
    }

    /**
     * This placement on cores of one kind only. A machine whose cores are all alike has performance cores.
     *
     * @throws IllegalArgumentException for a placement that has a kind already, or takes no kind ({@code none}, {@code isolated}, {@code
     *     nic:NAME}, a list of CPUs); and for {@link CoreKind#UNIFORM}
     */
    public Placement ofKind(CoreKind kind) {
        if (!takesKinds || kind == CoreKind.UNIFORM) {
            throw new IllegalArgumentException("'" + this + "' takes no kind of cores such as " + kind.word()
                    + ": right would be cores:performance for instance");
        }
        return new Placement(
                text + KIND + kind.word(),
                description + ", on " + kind.word() + " cores only",
                false,
                planner -> rule.plan(planner.onCoresOf(kind, text)));
    }

    /**
     * Parses the name of one of {@link #values}, {@code nic:NAME} or a list of CPUs such as {@code 0-3,8}. Names except {@code none} and
     * {@code isolated} may be followed by the kind of cores: {@code :performance}, {@code :middle}, {@code :efficiency} or {@code
     * :low-power}.
     *
     * @throws IllegalArgumentException with a message that states the expected format
     */
    public static Placement parse(String text) {
        if (!text.isEmpty() && Character.isDigit(text.charAt(0))) {
            return on(CpuList.parse(text));
        }
        if (text.startsWith(NIC) && text.length() > NIC.length()) {
            return nearInterface(text.substring(NIC.length()));
        }
        for (CoreKind kind : CoreKind.values()) {
            String end = KIND + kind.word();
            if (kind != CoreKind.UNIFORM && text.endsWith(end)) {
                return parse(text.substring(0, text.length() - end.length())).ofKind(kind);
            }
        }
        return NAMED.stream()
                .filter(placement -> placement.text.equals(text))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("'" + text + "' is no placement: right would be "
                        + names(placement -> true, ", ") + ", nic:NAME or CPUs such as 0-3,8; " + kinds()));
    }

    /** The texts that {@link #parse} takes, with the effect of each as a clause without a period. */
    public static List<String> help() {
        return Stream.concat(
                        Stream.concat(NAMED.stream(), Stream.of(nearInterface("NAME"), on(CpuList.parse("0-3,8"))))
                                .map(placement -> placement + " (" + placement.description + ")"),
                        Stream.of(kinds()))
                .toList();
    }

    private static String kinds() {
        return "all but " + names(placement -> !placement.takesKinds, " and ") + " also with a kind of cores: "
                + Stream.of(CoreKind.values())
                        .filter(kind -> kind != CoreKind.UNIFORM)
                        .map(kind -> CORES.ofKind(kind).text)
                        .collect(Collectors.joining(", "));
    }

    private static String names(Predicate<Placement> wanted, String separator) {
        return NAMED.stream().filter(wanted).map(Placement::toString).collect(Collectors.joining(separator));
    }

    /**
     * Plans the CPUs and memory node of {@code shards} shards with {@code threadsPerShard} threads each, on CPUs that {@code limits} leaves
     * to this process. Isolated CPUs, which the kernel takes out of every process's mask, are used only if the placement names them, by
     * number or as "isolated".
     *
     * <p>An impossible request (a CPU that does not exist, more shards than CPUs, a quota of fewer CPUs than shards, no isolated CPU) is
     * fulfilled as far as possible, with a warning in the plan. The plan also warns if more threads may run at once (at most one for each
     * CPU of a shard) than the quota allows. Only more shards than the quota allows are refused if {@code strict}, because further threads
     * help handlers that wait.
     *
     * @param shards 1 to {@link #SHARDS_MAX}; 0: as many as the machine has places for and the quota keeps busy with all their threads
     * @param strict true: throw instead of warning
     * @throws PlacementException only if {@code strict}
     * @throws IllegalArgumentException if {@code shards} is negative or too large, or {@code threadsPerShard} is below 1
     */
    public PlacementPlan plan(Topology topology, ProcessLimits limits, int shards, int threadsPerShard, boolean strict)
            throws PlacementException {
        return rule.plan(new Planner(this, topology, limits, shards, threadsPerShard, strict));
    }

    boolean takesKinds() {
        return takesKinds;
    }

    boolean namesCpus() {
        return Character.isDigit(text.charAt(0));
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Placement placement && text.equals(placement.text);
    }

    @Override
    public int hashCode() {
        return text.hashCode();
    }

    /** The text that {@link #parse} turns into this placement. */
    @Override
    public String toString() {
        return text;
    }
}
