package org.cabrank.affinity.placement;

import java.util.Objects;
import java.util.function.Consumer;
import org.cabrank.affinity.Affinity;
import org.cabrank.affinity.AffinityException;
import org.cabrank.affinity.CpuList;
import org.cabrank.affinity.MaskChange;
import org.cabrank.affinity.MaskWatch;
import org.cabrank.affinity.NodeMemory;
import org.cabrank.affinity.topology.Topology;
import org.cabrank.kernel.Kernel;

/**
 * Applies a plan to running shards: pins their threads to CPUs, keeps them there, and binds the shard's memory to its node.
 * Safe for use by any thread.
 *
 * <p>If strict, an unavailable CPU or node is an exception. Otherwise the keeper does what is possible, notifies the
 * listener about threads and logs a warning about memory.
 */
public final class PlacementKeeper {
    private static final System.Logger LOGGER = System.getLogger(PlacementKeeper.class.getName());

    private final PlacementPlan plan;
    private final boolean strict;
    private final boolean severalNodes;
    private final Affinity affinity;
    private final NodeMemory memory;
    private final MaskWatch watch;

    /**
     * @param checkPeriodNs time between two checks of where the threads are, in nanoseconds; 0: only {@link #check} checks
     * @param listener notified when a running thread has lost or regained its CPUs, and if not strict also when it starts
     *     without them; ends a service that insists on its placement ({@link MaskChange#asPlanned})
     */
    public PlacementKeeper(
            PlacementPlan plan,
            Topology topology,
            Kernel kernel,
            boolean strict,
            long checkPeriodNs,
            Consumer<MaskChange> listener) {
        this.plan = Objects.requireNonNull(plan);
        this.strict = strict;
        this.severalNodes = topology.nodes().size() > 1;
        this.affinity = new Affinity(kernel);
        this.memory = new NodeMemory(kernel);
        this.watch = new MaskWatch(kernel, checkPeriodNs, listener);
    }

    /**
     * Pins the calling thread and watches it from now on. Must be called first by each thread of a shard.
     *
     * @param shard number of the shard, from 0
     * @param thread number of the thread in the shard, from 0; threads beyond the planned ones have their CPUs in turn
     * @throws AffinityException only if strict: if the thread cannot run on all of its CPUs
     */
    public void place(int shard, int thread) throws AffinityException {
        ShardPlace place = plan.shards().get(shard);
        CpuList cpus = place.threads().get(thread % place.threads().size());
        if (cpus.isEmpty()) {
            return;
        }
        if (strict) {
            watch.pin(cpus, place.cpus());
        } else {
            watch.pinAsFarAsPossible(cpus, place.cpus());
        }
    }

    /**
     * Prepares the calling thread to make the objects that the threads of a shard share: handle set, rings, buffers. The
     * thread should end afterwards, because it keeps the shard's CPUs and memory policy.
     *
     * @param shard number of the shard, from 0
     * @throws AffinityException only if strict: if the thread cannot run on all of the shard's CPUs, or its memory does not come
     *     from the shard's node
     */
    public void prepare(int shard) throws AffinityException {
        ShardPlace place = plan.shards().get(shard);
        if (!place.pinned()) {
            return;
        }
        try {
            affinity.pin(place.cpus());
        } catch (AffinityException refused) {
            refused(shard, "is made on whichever CPU the scheduler chooses", refused);
        }
        if (!severalNodes || place.node() < 0) {
            return;
        }
        try {
            memory.prefer(place.node()); // matters the more where the CPU does not decide it
        } catch (AffinityException refused) {
            refused(shard, "lies wherever the kernel puts it", refused);
        }
    }

    private void refused(int shard, String instead, AffinityException refused) throws AffinityException {
        if (strict) {
            throw refused;
        }
        LOGGER.log(
                System.Logger.Level.WARNING,
                "what the threads of shard {0} share {1}: {2}",
                shard,
                instead,
                refused.getMessage());
    }

    /** Checks where the threads are, now. */
    public void check() {
        watch.check();
    }
}
