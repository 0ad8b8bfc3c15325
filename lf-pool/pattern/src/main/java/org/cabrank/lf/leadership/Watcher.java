package org.cabrank.lf.leadership;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The thread that looks after the pools of a reactor: it replaces leaders that stay in a handler ({@link LeaderWatch}), and adds and
 * ends threads. It rests while no pool wants a look. It is not pinned. It has the CPUs and the context class loader of the thread that
 * starts it, and so have the threads that it adds.
 *
 * <p>It ends when all pools have stopped, and begins again if a further pool starts. What a look throws ends all its pools.
 */
public final class Watcher {
    /** A pool. Called by the watcher. */
    public interface Watched {
        /** Looks, if a look is due, and returns the time to the next look in ns; {@link Deadlines#FOREVER}: at a {@link #wake}. */
        long check(long nowNs);

        boolean isOver();

        /** The watcher has met an error and ends. */
        void failed(Throwable cause);
    }

    private final String name;
    private final Parking parking;

    /** Changed with the lock of this object held. */
    private final List<Watched> pools = new CopyOnWriteArrayList<>();

    /** Null: there is no thread. Changed with the lock of this object held. */
    private volatile Thread thread;

    /** Another look is wanted. The permit of a park is not enough: a lock or a logger that parks during a look uses the permit up. */
    private volatile boolean woken;

    public Watcher(String name, Parking parking) {
        this.name = name + "-watcher";
        this.parking = parking;
    }

    /** Looks after the pool until it is over. An error says that no thread could be started. */
    public synchronized void watch(Watched pool) {
        if (thread == null) {
            Thread starting = new Thread(this::run, name);
            starting.setDaemon(true);
            starting.start();
            thread = starting;
        }
        pools.add(pool);
        wake();
    }

    /** Any thread: has the watcher look now. */
    public void wake() {
        woken = true;
        Thread present = thread;
        if (present != null && present != Thread.currentThread()) {
            parking.unpark(present);
        }
    }

    /** Null: there is none at this moment. */
    public Thread thread() {
        return thread;
    }

    private void run() {
        try {
            long restNs = 0;
            do {
                Thread.interrupted(); // an interrupted thread cannot park
                if (!woken) {
                    parking.park(this, restNs);
                }
                woken = false; // before the look: what changes from now on gets another look
                restNs = check();
            } while (!isOver());
        } catch (Throwable broken) { // nobody would replace leaders from now on
            end().forEach(pool -> pool.failed(broken));
        }
    }

    private synchronized List<Watched> end() {
        List<Watched> watched = List.copyOf(pools);
        pools.clear();
        thread = null;
        return watched;
    }

    private long check() {
        long restNs = Deadlines.FOREVER;
        for (Watched pool : pools) {
            restNs = Math.min(restNs, pool.check(parking.nanoTime()));
        }
        return restNs;
    }

    private synchronized boolean isOver() {
        pools.removeIf(Watched::isOver);
        if (pools.isEmpty()) {
            thread = null;
        }
        return pools.isEmpty();
    }
}
