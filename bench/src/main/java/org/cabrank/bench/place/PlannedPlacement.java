package org.cabrank.bench.place;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.cabrank.affinity.MaskChange;
import org.cabrank.affinity.placement.PlacementException;
import org.cabrank.affinity.placement.PlacementKeeper;
import org.cabrank.affinity.placement.PlacementPlan;
import org.cabrank.affinity.placement.ShardPlace;
import org.cabrank.kernel.Kernel;
import org.cabrank.stream.ThreadPlacement;

/**
 * Holds the threads of a reactor to the CPUs that a plan has for them, when they start and while they run, and what they share
 * to its memory node. A plan of one shard also serves shared threads.
 */
public final class PlannedPlacement implements ThreadPlacement {
    private static final System.Logger LOGGER = System.getLogger(PlannedPlacement.class.getName());

    /** CPUs rarely come and go, and a look costs a system call for each thread. */
    private static final long CHECK_PERIOD_NS = TimeUnit.SECONDS.toNanos(1);

    private final PlacementPlan plan;
    private final boolean strict;
    private final PlacementKeeper keeper;
    private final AtomicBoolean watched = new AtomicBoolean();

    // Guarded by this.
    private Consumer<String> whenLost;
    private String lost;

    private PlannedPlacement(PlacementPlan plan, boolean strict, Kernel kernel, Surroundings surroundings) {
        this.plan = plan;
        this.strict = strict;
        this.keeper = new PlacementKeeper(plan, surroundings.topology(), kernel, strict, this::changed);
    }

    /**
     * Plans. In what comes of it a thread that cannot be pinned ends the start of its reactor where the settings are strict;
     * else it runs where the scheduler puts it, and the log says so.
     *
     * @throws PlacementException when a strict placement cannot be had
     */
    public static PlannedPlacement of(
            PlacementSettings settings, Kernel kernel, Surroundings surroundings, int shards, int threadsPerShard)
            throws PlacementException {
        PlacementPlan plan = settings.placement()
                .plan(surroundings.topology(), surroundings.limits(), shards, threadsPerShard, settings.strict());
        return new PlannedPlacement(plan, settings.strict(), kernel, surroundings);
    }

    /** What was planned. */
    public PlacementPlan plan() {
        return plan;
    }

    /**
     * What to do when a strict placement is lost while the reactor runs, since a CPU went offline for instance: called once,
     * with what has happened in words, by the thread that has found out; at once if it has happened already.
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

    @Override
    public void place(int shard, int thread) {
        try {
            keeper.place(number(shard), thread);
        } catch (IOException refused) {
            throw refused("thread " + thread + " of shard " + shard, refused);
        }
        if (watched.compareAndSet(false, true)) {
            keeper.start(CHECK_PERIOD_NS);
        }
    }

    /** On the CPUs of all the shard's threads, with memory from their node. */
    @Override
    public void prepare(int shard) {
        try {
            keeper.prepare(number(shard));
        } catch (IOException refused) {
            throw refused("the making of shard " + shard, refused);
        }
    }

    /** The CPUs of the shard's threads; none where they are not pinned. */
    @Override
    public int[] cpus(int shard) {
        return of(shard).cpus().cpus().toArray();
    }

    /** Whether what cannot be had as asked for is refused. */
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

    private static PlacementRefusedException refused(String who, IOException refused) {
        return new PlacementRefusedException(who + ": " + refused.getMessage(), refused);
    }
}
