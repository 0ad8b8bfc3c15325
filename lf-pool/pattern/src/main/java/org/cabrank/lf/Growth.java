package org.cabrank.lf;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.cabrank.lf.leadership.Watcher;

/**
 * The growing pools of a reactor. Together they may add at most {@link #ADDED_MAX} threads. Only the {@link Watcher} adds and ends threads,
 * so it reads their number without a lock. A leader never starts a thread, because a start takes 50 to 100 us.
 */
final class Growth {
    static final int ADDED_MAX = 64;

    static final long UNUSED_NS = TimeUnit.MINUTES.toNanos(1);

    private final int addedMax;
    final long unusedNs;
    private final List<GrowingPool> pools = new CopyOnWriteArrayList<>();

    Growth() {
        this(ADDED_MAX, UNUSED_NS);
    }

    Growth(int addedMax, long unusedNs) {
        this.addedMax = addedMax;
        this.unusedNs = unusedNs;
    }

    /** Number of processors that threads pinned to {@code cpus} may use. An empty array stands for all processors. */
    static int processors(int[] cpus) {
        int available = Runtime.getRuntime().availableProcessors();
        return cpus.length == 0 ? available : Math.min(cpus.length, available);
    }

    void add(GrowingPool pool) {
        pools.add(pool);
    }

    /** Makes each pool check if it may add a thread now. Any thread calls this after a thread of a pool has ended. */
    void threadEnded() {
        pools.forEach(GrowingPool::requestLook);
    }

    boolean hasRoom() {
        return pools.stream().mapToInt(GrowingPool::added).sum() < addedMax;
    }
}
