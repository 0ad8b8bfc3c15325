package org.cabrank.lf.leadership;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The thread that watches a reactor's pools. It replaces leaders that stay in a handler ({@link LeaderWatch}), and it adds and ends
 * threads. It rests while no pool needs a check. It ends when all pools have stopped, and starts again if a pool starts later. If a check
 * throws, all pools of the watcher fail. The watcher inherits the CPUs and the context class loader of the thread that starts it, and
 * passes them to the threads that it adds.
 */
public final class Watcher {
    /** Called by the watcher. */
    public interface Watched {
        /** Returns the time until the next check in ns. {@link Deadlines#FOREVER} means that no check is needed before {@link #wake}. */
        long check(long nowNs);

        boolean isOver();

        /** Called if an error ends the watcher. */
        void failed(Throwable cause);
    }

    private final String name;
    private final Parking parking;

    /** Written with the lock of this object. */
    private final List<Watched> pools = new CopyOnWriteArrayList<>();

    /** Null while no thread runs. Written with the lock of this object. */
    private volatile Thread thread;

    /** This flag is needed, because a lock or a logger in a check may park and use up the permit of unpark. */
    private volatile boolean woken;

    public Watcher(String name, Parking parking) {
        this.name = name + "-watcher";
        this.parking = parking;
    }

    /** Watches the pool until it has stopped. Throws if no thread could be started. */
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

    public void wake() {
        woken = true;
        Thread present = thread;
        if (present != null && present != Thread.currentThread()) {
            parking.unpark(present);
        }
    }

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
                woken = false; // cleared before the check, so that a later change causes another check
                restNs = check();
            } while (!isOver());
        } catch (Throwable broken) { // no leader would be replaced any more
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
