package org.cabrank.pinning;

import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.cabrank.affinity.Affinity;
import org.cabrank.affinity.AffinityException;
import org.cabrank.affinity.CpuList;
import org.cabrank.affinity.MaskChange;
import org.cabrank.affinity.MaskWatch;
import org.cabrank.affinity.NodeMemory;
import org.cabrank.affinity.placement.Placement;
import org.cabrank.affinity.placement.PlacementException;
import org.cabrank.affinity.placement.PlacementPlan;
import org.cabrank.affinity.placement.ShardPlace;
import org.cabrank.affinity.topology.Topology;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.KernelUnavailableException;
import org.cabrank.kernel.Kernels;
import org.cabrank.stream.ThreadPlacement;

/**
 * Thread placement of a stream reactor. It follows a plan of CPUs and memory nodes. The plan is made before the reactor is built, so a
 * program can look at it. A {@link RequestedPlacement} makes the plan only when the reactor starts.
 *
 * <p>Each thread is pinned when it starts. The memory that the threads of a shard share is taken from the memory node of the shard. The
 * affinity masks are checked once a second. If another process or a cpuset has changed a mask, the thread is pinned again. If all shards of
 * a reactor share its threads, the plan must have one shard.
 *
 * <pre>{@code
 * PlannedPlacement placement = PlannedPlacement.of(Placement.CORES, 0, 1); // a shard for each core
 * StreamServer server = StreamServer.builder().placement(placement) ...
 * }</pre>
 *
 * <p>Instances are thread-safe. One instance serves one reactor.
 */
public final class PlannedPlacement implements ThreadPlacement {
    private static final System.Logger LOGGER = System.getLogger(PlannedPlacement.class.getName());

    private static final long CHECK_PERIOD_NS = TimeUnit.SECONDS.toNanos(1);

    private final PlacementPlan plan;
    private final boolean strict;
    private final boolean severalNodes;
    private final Affinity affinity;
    private final NodeMemory memory;
    private final MaskWatch watch;

    // Guarded by this.
    private Consumer<String> whenLost;
    private String lost;

    PlannedPlacement(PlacementPlan plan, boolean strict, Kernel kernel, Topology topology) {
        this.plan = plan;
        this.strict = strict;
        this.severalNodes = topology.nodes().size() > 1;
        this.affinity = new Affinity(kernel);
        this.memory = new NodeMemory(kernel);
        this.watch = new MaskWatch(kernel, CHECK_PERIOD_NS, this::changed);
    }

    /**
     * Makes a plan for this machine and the limits of this process. The plan fulfills as much of the placement as possible. {@link #plan}
     * has warnings if a part is not possible. If a thread cannot be pinned, the scheduler chooses its CPUs, and the log has a warning.
     *
     * @param shards 1 to {@link Placement#SHARDS_MAX}. With 0, there are as many shards as the machine has places for. See {@link #shards}
     * @param threadsPerShard at least 1. If all shards of a reactor share its threads, they count as the threads of one shard
     * @throws KernelUnavailableException if no kernel binding works in this process
     * @throws IllegalArgumentException if {@code shards} or {@code threadsPerShard} is out of range
     */
    public static PlannedPlacement of(Placement placement, int shards, int threadsPerShard)
            throws KernelUnavailableException {
        Kernel kernel = Kernels.system();
        try {
            return of(
                    PlacementSettings.of(placement),
                    kernel,
                    MachineSnapshot.ofThisMachine(kernel),
                    shards,
                    threadsPerShard);
        } catch (PlacementException strictOnly) {
            throw new IllegalStateException(strictOnly);
        }
    }

    /**
     * Makes a plan for the machine of {@code snapshot}. {@link #of(Placement, int, int)} describes {@code shards} and {@code
     * threadsPerShard}. If the settings are strict and a thread cannot be pinned, the reactor refuses to start.
     *
     * @throws PlacementException if the settings are strict and the placement is unavailable
     * @throws IllegalArgumentException if {@code shards} or {@code threadsPerShard} is out of range
     */
    public static PlannedPlacement of(
            PlacementSettings settings, Kernel kernel, MachineSnapshot snapshot, int shards, int threadsPerShard)
            throws PlacementException {
        PlacementPlan plan = settings.placement()
                .plan(snapshot.topology(), snapshot.limits(), shards, threadsPerShard, settings.strict());
        return new PlannedPlacement(plan, settings.strict(), kernel, snapshot.topology());
    }

    /** CPUs and memory node of each shard, with reasons and warnings. */
    public PlacementPlan plan() {
        return plan;
    }

    /** Number of shards of the plan, at least 1. If the builder of a reactor was given no number, the reactor has this number of shards. */
    @Override
    public int shards() {
        return plan.shards().size();
    }

    @Override
    public ThreadPlacement planned(int shards, int threads) {
        boolean fits = (shards == 0 || shards == shards()) && threads <= plan.threadsPerShard();
        if (!fits) {
            throw new IllegalArgumentException("the placement " + plan.placement() + " was planned for "
                    + size(shards(), plan.threadsPerShard()) + ", but the reactor has "
                    + size(shards == 0 ? shards() : shards, threads)
                    + " (threads that all shards share count as those of one shard): plan for that size, or use"
                    + " RequestedPlacement, which plans for the size of the reactor");
        }
        return this;
    }

    private static String size(int shards, int threads) {
        return shards + (shards == 1 ? " shard" : " shards") + " with " + threads
                + (threads == 1 ? " thread" : " threads") + " each";
    }

    /**
     * Sets the action for the loss of a strict placement while the reactor runs, for instance because a CPU went offline. The thread that
     * detects the loss calls the action once, with a message for users. If the placement was lost before, this method calls the action.
     */
    public synchronized void whenLost(Consumer<String> action) {
        whenLost = action;
        if (lost != null) {
            action.accept(lost);
        }
    }

    private synchronized void changed(MaskChange change) {
        LOGGER.log(System.Logger.Level.WARNING, change.words());
        if (strict && !change.asPlanned() && lost == null) {
            lost = change.words();
            if (whenLost != null) {
                whenLost.accept(lost);
            }
        }
    }

    /** Pins the calling thread. If there are more threads than planned, the further threads use the CPUs of the planned threads in turn. */
    @Override
    public void place(int shard, int thread) {
        ShardPlace place = of(shard);
        CpuList cpus = place.threads().get(thread % place.threads().size());
        if (cpus.isEmpty()) {
            return;
        }
        if (!strict) {
            watch.pinAsFarAsPossible(cpus, place.cpus());
            return;
        }
        try {
            watch.pin(cpus, place.cpus());
        } catch (AffinityException refused) {
            throw refused("thread " + thread + " of shard " + number(shard), refused);
        }
    }

    /** Pins the calling thread, which should end soon, to all CPUs of the shard, and makes it allocate memory from their node. */
    @Override
    public void prepare(int shard) {
        ShardPlace place = of(shard);
        if (!place.pinned()) {
            return;
        }
        try {
            affinity.pin(place.cpus());
        } catch (AffinityException refused) {
            refusedOf(place, "is made on whichever CPU the scheduler chooses", refused);
        }
        if (severalNodes && place.node() >= 0) {
            try {
                memory.prefer(place.node()); // more important if the CPU does not decide the node
            } catch (AffinityException refused) {
                refusedOf(place, "lies wherever the kernel puts it", refused);
            }
        }
    }

    private void refusedOf(ShardPlace place, String instead, AffinityException refused) {
        if (strict) {
            throw refused("the memory of shard " + place.shard(), refused);
        }
        LOGGER.log(
                System.Logger.Level.WARNING,
                "what the threads of shard {0} share {1}: {2}",
                place.shard(),
                instead,
                refused.getMessage());
    }

    void check() {
        watch.check();
    }

    /** Returns the CPUs of the shard's threads. If the plan does not pin them, returns an empty array. */
    @Override
    public int[] cpus(int shard) {
        return of(shard).cpus().cpus().toArray();
    }

    @Override
    public boolean isStrict() {
        return strict;
    }

    private ShardPlace of(int shard) {
        return plan.shards().get(number(shard));
    }

    private static int number(int shard) {
        return shard == ALL_SHARDS ? 0 : shard;
    }

    private static PlacementRefusedException refused(String who, AffinityException refused) {
        return new PlacementRefusedException(who + ": " + refused.getMessage(), refused);
    }
}
