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
 * A rule that places shards and their threads. Immutable. The same machine and limits always give the same plan. Placements with equal
 * texts are equal.
 */
public final class Placement {
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

    /** Each shard has a hardware thread. A core gets a second shard only if every core has a shard. */
    public static final Placement THREADS =
            new Placement("threads", "a hardware thread for each shard", true, Orders::coresFirst, Filling::threads);

    /**
     * Each shard has an L3 domain: a set of CPUs that share an L3 cache. The threads of the shard may run on any CPU of the domain. Slow
     * cores without an L3 cache are not used. If no L3 cache is known, each memory node is a domain.
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
     * Each thread has a CPU, in as few L3 domains and nodes as possible. On a hybrid machine, shards of several threads use all hardware
     * threads of fast cores before slower cores. Shards of one thread use slower cores of the same L3 domain before they share a core.
     */
    public static final Placement PACK =
            new Placement("pack", "a CPU for each thread, near together", true, Orders::packed, Filling::packed);

    /**
     * Each thread has a CPU. The threads of a shard are near to each other, and the shards are as far apart as possible. Cores of nodes
     * with memory come first. On a hybrid machine, shards use fast cores as with {@link #PACK}.
     */
    public static final Placement SPREAD = new Placement(
            "spread", "a CPU for each thread, the shards far apart", true, Orders::spread, Filling::spread);

    /** Each thread has an isolated CPU (isolcpus or a partition of cgroups). If shards must share isolated cores, the plan warns. */
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
     * Each thread has a CPU on the node of this network interface. Cores that serve no interrupt of the interface come first. The default
     * number of shards is the number of these cores. If every core serves interrupts, it is the number of all cores.
     */
    public static Placement nearInterface(String name) {
        return new Placement(
                NIC + name,
                "a CPU for each thread, near this network interface",
                false,
                planner -> NearInterface.plan(planner, name));
    }

    /** Divides these CPUs among the shards, in ascending order. The threads of a shard use its CPUs in turn. */
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
     * Returns this placement, restricted to cores of one kind. If all cores of a machine are of one kind, they count as performance cores.
     *
     * @throws IllegalArgumentException if the placement has a kind already or takes no kind ({@code none}, {@code isolated}, {@code
     *     nic:NAME}, a list of CPUs), or if the kind is {@link CoreKind#UNIFORM}
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
     * Parses the name of one of {@link #values}, {@code nic:NAME} or a list of CPUs such as {@code 0-3,8}. A kind of cores may follow a
     * name other than {@code none} and {@code isolated}: {@code :performance}, {@code :middle}, {@code :efficiency} or {@code :low-power}.
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

    /** The texts that {@link #parse} takes. Each text has a description of its placement, without a period at the end. */
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
     * to this process. Isolated CPUs are used only if the placement has their numbers or is "isolated".
     *
     * <p>If the request is impossible, the plan is as near to it as possible, and has a warning. If {@code strict}, the request is refused.
     * Examples of impossible requests are more shards than CPUs, a quota of fewer CPUs than shards, or no isolated CPU.
     *
     * <p>The plan only warns if more threads may run at once than the quota allows, because more threads help handlers that wait.
     *
     * @param shards 1 to {@link #SHARDS_MAX}. With 0, as many shards as the machine has places for and the quota can keep busy
     * @param strict true to throw instead of adding a warning
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
