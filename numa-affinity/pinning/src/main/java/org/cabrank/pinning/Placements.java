package org.cabrank.pinning;

import java.util.Objects;
import org.cabrank.affinity.CpuList;
import org.cabrank.affinity.placement.Placement;

/**
 * Thread placements of stream reactors, planned when the reactor starts: for its number of shards and threads, or with as many shards as
 * the machine has places for.
 *
 * <pre>{@code
 * StreamServer.builder()
 *         .placement(Placements.cores()) // a shard for each core
 * }</pre>
 *
 * <p>Threads are pinned, the memory that a shard's threads share comes from the shard's memory node, and affinity masks are checked once a
 * second ({@link PlannedPlacement}). {@link org.cabrank.stream.ThreadPlacement#cpus} steers accepted connections to the CPUs of a shard
 * in the accept modes that ask for the CPU. Threads that all shards share are placed like the threads of one shard.
 */
public final class Placements {
    private Placements() {}

    /** {@link Placement#cores}: a shard on each core, whose further hardware threads stay idle. */
    public static RequestedPlacement cores() {
        return of(Placement.CORES);
    }

    /** {@link Placement#smt}: a shard on each core, whose threads use all hardware threads of the core. */
    public static RequestedPlacement smt() {
        return of(Placement.SMT);
    }

    /** {@link Placement#threads}: a shard on each hardware thread. */
    public static RequestedPlacement threads() {
        return of(Placement.THREADS);
    }

    /** {@link Placement#l3}: a shard on each set of CPUs that share an L3 cache. */
    public static RequestedPlacement l3() {
        return of(Placement.L3);
    }

    /** {@link Placement#node}: a shard on each memory node. */
    public static RequestedPlacement node() {
        return of(Placement.NODE);
    }

    /** {@link Placement#pack}: a CPU for each thread, close together. */
    public static RequestedPlacement pack() {
        return of(Placement.PACK);
    }

    /** {@link Placement#spread}: a CPU for each thread, shards far apart. */
    public static RequestedPlacement spread() {
        return of(Placement.SPREAD);
    }

    /** {@link Placement#isolated}: a CPU for each thread, of the isolated ones. */
    public static RequestedPlacement isolated() {
        return of(Placement.ISOLATED);
    }

    /** {@link Placement#nearInterface}: a CPU for each thread, on the memory node of this network interface. */
    public static RequestedPlacement nearInterface(String name) {
        return of(Placement.nearInterface(Objects.requireNonNull(name, "name")));
    }

    /** {@link Placement#on}: these CPUs in turn. */
    public static RequestedPlacement on(CpuList cpus) {
        return of(Placement.on(cpus));
    }

    /** Any placement, such as {@code Placement.CORES.ofKind(CoreKind.PERFORMANCE)} or {@code Placement.parse(setting)}. */
    public static RequestedPlacement of(Placement placement) {
        return new RequestedPlacement(PlacementSettings.of(placement), plan -> {});
    }
}
