package org.cabrank.lf.leadership;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.cabrank.lf.failure.FailureLog;

/**
 * The thread that looks after the pools of a reactor: it replaces leaders that stay in a handler ({@link LeaderWatch}), and adds and
 * ends threads. It rests while no pool wants a look. It is not pinned. It has the CPUs and the context class loader of the thread that
 * starts it, and so have the threads that it adds.
 *
 * <p>It ends when all pools have stopped, and begins again if a further pool starts.
 */
public final class Watcher {
    /** A pool as the watcher sees it. Called by the watcher. */
    public interface Watched {
        /** Looks, if a look is due, and returns the time to the next look in ns; {@link Deadlines#FOREVER}: at a {@link #wake}. */
        long look(long nowNs);

        boolean isOver();
    }

    /** Pause after a look that failed. */
    private static final long RETRY_NS = TimeUnit.SECONDS.toNanos(1);

    private final String name;
    private final Parking parking;
    private final System.Logger logger;

    /** Made beforehand, because there may be no memory when it is needed. */
    private final Supplier<String> looksAgain;

    /** Changed with the lock of this object held. */
    private final List<Watched> pools = new CopyOnWriteArrayList<>();

    /** Null: there is no thread. Changed with the lock of this object held. */
    private volatile Thread thread;

    /** Another look is wanted. The permit of a park is not enough: a lock or a logger that parks during a look uses the permit up. */
    private volatile boolean woken;

    /** @param name begins the name of the thread */
    public Watcher(String name, Parking parking, System.Logger logger) {
        this.name = name + "-watcher";
        this.parking = parking;
        this.logger = logger;
        this.looksAgain = () -> this.name + " looks again in 1 s, because a look has failed";
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
        long restNs = 0;
        boolean over = false;
        while (!over) {
            try {
                Thread.interrupted(); // an interrupted thread cannot park
                if (!woken) {
                    parking.park(this, restNs);
                }
                restNs = RETRY_NS; // if the look fails
                woken = false; // before the look: what changes from now on gets another look
                restNs = look();
                over = isOver();
            } catch (Throwable broken) { // no memory
                FailureLog.write(logger, System.Logger.Level.WARNING, looksAgain, broken);
            }
        }
    }

    private long look() {
        long restNs = Deadlines.FOREVER;
        for (Watched pool : pools) {
            try {
                restNs = Math.min(restNs, pool.look(parking.nanoTime()));
            } catch (Throwable broken) { // no memory, or no stack
                restNs = Math.min(restNs, RETRY_NS);
                FailureLog.write(logger, System.Logger.Level.WARNING, looksAgain, broken);
            }
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
