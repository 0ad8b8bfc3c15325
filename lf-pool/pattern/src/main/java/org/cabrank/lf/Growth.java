package org.cabrank.lf;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.cabrank.lf.failure.FailureLog;
import org.cabrank.lf.leadership.Deadlines;
import org.cabrank.lf.leadership.Parking;

/**
 * The thread that adds threads to the growing pools of a reactor, and ends threads that are not needed any more: see
 * {@link GrowingPool}. Starting a thread takes 50 to 100 us, and milliseconds where processors are scarce, so no leader does so. The
 * thread rests as long as somebody follows in each pool, and no pool is above its initial size.
 *
 * <p>Invariants:
 *
 * <ol>
 *   <li>This thread alone adds and dismisses threads, so the number of added threads needs no lock.
 *   <li>The thread ends when all pools have stopped, and begins again if a further pool starts.
 * </ol>
 */
final class Growth {
    /** Named bound: threads of all pools together above their initial ones. */
    static final int ADDED_MAX = 64;

    /** Time in which a thread was not needed, before it ends. */
    static final long UNUSED_NS = TimeUnit.MINUTES.toNanos(1);

    private static final System.Logger LOGGER = System.getLogger(LeaderFollowersPool.class.getName());

    private final String name;
    private final Parking parking;
    private final int addedMax;
    final long unusedNs;

    /** Changed with the lock of this object held. */
    private final List<GrowingPool> pools = new CopyOnWriteArrayList<>();

    /** Null: there is no thread. Changed with the lock of this object held. */
    volatile Thread thread;

    /** @param name begins the name of the thread */
    Growth(String name, Parking parking) {
        this(name, parking, ADDED_MAX, UNUSED_NS);
    }

    Growth(String name, Parking parking, int addedMax, long unusedNs) {
        this.name = name + "-growth";
        this.parking = parking;
        this.addedMax = addedMax;
        this.unusedNs = unusedNs;
    }

    /** Number of processors that the threads on these CPUs may use. {@code cpus} is empty if they may run on every CPU. */
    static int processors(int[] cpus) {
        int available = Runtime.getRuntime().availableProcessors();
        return cpus.length == 0 ? available : Math.min(cpus.length, available);
    }

    /** Serves the pool, which has started, until it has stopped. */
    synchronized void serve(GrowingPool pool) {
        if (thread == null) {
            Thread starting = new Thread(this::run, name);
            starting.setDaemon(true);
            starting.start();
            thread = starting;
        }
        pools.add(pool);
        wake();
    }

    /** Any thread: has the thread look now. */
    void wake() {
        Thread present = thread;
        if (present != null) {
            parking.unpark(present);
        }
    }

    /** Any thread: a thread of a pool has ended. Any pool may add a thread in its place. */
    void threadEnded() {
        pools.forEach(GrowingPool::requestLook);
    }

    /** Growth thread: returns true if one more thread may be added. */
    boolean hasRoom() {
        return pools.stream().mapToInt(GrowingPool::added).sum() < addedMax;
    }

    private void run() {
        do {
            Thread.interrupted(); // an interrupted thread cannot park
            parking.park(this, look());
        } while (!isOver());
    }

    private long look() {
        long restNs = Deadlines.FOREVER;
        for (GrowingPool pool : pools) {
            try {
                restNs = Math.min(restNs, pool.look(parking.nanoTime()));
            } catch (Throwable broken) { // no memory, or no stack
                restNs = Math.min(restNs, GrowingPool.RETRY_NS);
                FailureLog.write(LOGGER, System.Logger.Level.WARNING, () -> name + " looks again", broken);
            }
        }
        return pools.stream().allMatch(GrowingPool::isOver) ? 0 : restNs;
    }

    private synchronized boolean isOver() {
        pools.removeIf(GrowingPool::isOver);
        if (pools.isEmpty()) {
            thread = null;
        }
        return pools.isEmpty();
    }
}
