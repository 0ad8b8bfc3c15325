package org.cabrank.affinity.placement;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.cabrank.affinity.CpuList;
import org.cabrank.affinity.limits.ProcessLimits;
import org.cabrank.affinity.topology.CoreKind;
import org.cabrank.affinity.topology.Cpu;
import org.cabrank.affinity.topology.Topology;

/**
 * Another placement on the cores of one kind of a hybrid machine. On a machine whose cores are all of one kind, all of them are
 * performance cores.
 */
record OfKind(Placement all, CoreKind kind) implements Placement {
    static final char SEPARATOR = ':';

    /** The kind of this word: {@code performance}, {@code middle}, {@code efficiency} or {@code low-power}. */
    static Optional<CoreKind> kind(String word) {
        return Stream.of(CoreKind.values())
                .filter(kind -> kind != CoreKind.UNIFORM && word(kind).equals(word))
                .findFirst();
    }

    /** Returns true if a placement can be held to cores of one kind. */
    static boolean suits(Placement placement) {
        return placement instanceof PerDomain
                || placement instanceof OneByOne oneByOne && oneByOne.order() != OneByOne.Order.ISOLATED;
    }

    /** The word for cores of this kind. */
    static String word(CoreKind kind) {
        return kind.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    @Override
    public PlacementPlan plan(Topology topology, ProcessLimits limits, int shards, int threadsPerShard, boolean strict)
            throws PlacementException {
        boolean hybrid = topology.hybrid();
        CpuList ofKind = CpuList.of(topology.cpus().stream()
                .filter(cpu -> cpu.kind() == kind || !hybrid && kind == CoreKind.PERFORMANCE)
                .mapToInt(Cpu::id)
                .toArray());
        CpuList usable = limits.usable().intersection(ofKind);
        List<String> warnings = new ArrayList<>();
        if (usable.isEmpty()) {
            String cause = "there is no " + word(kind) + " core that this process may use";
            String remedy = "ask for " + all + ", or for another kind of cores";
            if (strict) {
                throw new PlacementException(cause + "; " + remedy);
            }
            warnings.add(cause + ": cores of all kinds are taken; " + remedy);
        }
        PlacementPlan plan = all.plan(
                topology, usable.isEmpty() ? limits : limits.withUsable(usable), shards, threadsPerShard, strict);
        warnings.addAll(plan.warnings());
        String what = plan.summary().substring(("placement " + all).length());
        return new PlacementPlan(
                toString(),
                "placement " + this + what,
                plan.shards(),
                warnings,
                plan.compromised() || usable.isEmpty());
    }

    @Override
    public String description() {
        return all.description() + ", on " + word(kind) + " cores only";
    }

    @Override
    public String toString() {
        return all.toString() + SEPARATOR + word(kind);
    }
}
