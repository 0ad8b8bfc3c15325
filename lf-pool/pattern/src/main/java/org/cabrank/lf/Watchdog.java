package org.cabrank.lf;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.cabrank.lf.failure.FailureLog;
import org.cabrank.lf.leadership.Deadlines;
import org.cabrank.lf.leadership.Parking;
import org.cabrank.lf.observe.BlockedHandler;
import org.cabrank.lf.observe.Liveness;

/**
 * Reports event handlers that run longer than a limit, asleep or spinning, with their stack, once per stack. All methods may be called by
 * any thread.
 *
 * <p>One daemon thread, {@code cabrank-watchdog}, watches any number of pools. It looks at every thread four times in the limit, so a
 * handler is reported after 1 to 1.5 times the limit, plus the time that the scheduler takes to run the watchdog. A handler that goes on is
 * looked at again whenever its time has doubled. Handlers pay nothing.
 *
 * <p>It also probes each pool's {@linkplain LeaderFollowersPool#liveness liveness} with the same limit, and reports each problem when found
 * first: a handle set that no thread watches, a pool without threads or with blocked threads only, a failed pool. The watchdog outlives
 * exceptions of its consumers and a lack of memory: it logs them once per kind and looks again.
 */
public final class Watchdog implements AutoCloseable {
    static final String THREAD_NAME = "cabrank-watchdog";

    private static final System.Logger LOGGER = System.getLogger(Watchdog.class.getName());
    private static final Duration LIMIT_MIN = Duration.ofMillis(1);
    private static final Duration LIMIT_MAX = Duration.ofDays(1);
    private static final int LOOKS_PER_LIMIT = 4;

    private final Parking parking;
    private final long pauseNs;
    private final FailureLog failures = new FailureLog(Watchdog.class);
    private final BlockedHandlers handlers;
    private final LivenessReports liveness;
    private final List<WatchedPool> pools = new CopyOnWriteArrayList<>();
    private final Thread thread;
    private volatile boolean closed;

    Watchdog(
            Duration limit,
            Consumer<? super BlockedHandler> consumer,
            Consumer<? super Liveness.Problem> problems,
            Parking parking) {
        Objects.requireNonNull(consumer, "consumer");
        Objects.requireNonNull(problems, "problems");
        requireLimit(limit);
        this.parking = parking;
        this.pauseNs = Deadlines.ns(limit) / LOOKS_PER_LIMIT;
        this.handlers = new BlockedHandlers(Deadlines.ns(limit), consumer, failures);
        this.liveness = new LivenessReports(limit, problems, failures);
        this.thread = new Thread(this::run, THREAD_NAME);
        thread.setDaemon(true);
        thread.start();
    }

    /** Returns {@code limit} if it is from 1 ms to 1 day. Throws IllegalArgumentException otherwise. */
    public static Duration requireLimit(Duration limit) {
        Objects.requireNonNull(limit, "limit");
        if (limit.compareTo(LIMIT_MIN) < 0 || limit.compareTo(LIMIT_MAX) > 0) {
            throw new IllegalArgumentException("a watchdog's limit must be from 1ms to 1 day, but is " + limit);
        }
        return limit;
    }

    /** Logs each report as a warning. {@code limit} is from 1 ms to 1 day. */
    public static Watchdog start(Duration limit) {
        return start(
                limit,
                handler -> LOGGER.log(
                        System.Logger.Level.WARNING,
                        handler.describe() + " (logged once per stack; further ones are counted)"));
    }

    /** Hands each report to {@code consumer}, on the watchdog's thread. What the consumer throws is counted, and logged once per kind. */
    public static Watchdog start(Duration limit, Consumer<BlockedHandler> consumer) {
        return new Watchdog(limit, consumer, Watchdog::logProblem, Parking.SYSTEM);
    }

    /**
     * As {@link #start(Duration, Consumer)}, and hands each problem of a pool's liveness to {@code problems}, on the watchdog's thread,
     * when it is found first or again after it had passed, instead of logging it as a warning.
     */
    public static Watchdog start(
            Duration limit, Consumer<? super BlockedHandler> consumer, Consumer<? super Liveness.Problem> problems) {
        return new Watchdog(limit, consumer, problems, Parking.SYSTEM);
    }

    private static void logProblem(Liveness.Problem problem) {
        LOGGER.log(System.Logger.Level.WARNING, problem + " (logged when it begins)");
    }

    /** Watches {@code pool} until it has terminated. Throws IllegalStateException if the watchdog is closed or watches it already. */
    public void watch(LeaderFollowersPool pool) {
        watch(Objects.requireNonNull(pool, "pool").watched());
    }

    synchronized void watch(WatchedPool pool) {
        if (closed) {
            throw new IllegalStateException("the watchdog is closed");
        }
        if (pools.contains(pool)) {
            throw new IllegalStateException(pool.name() + " is watched already");
        }
        pools.add(pool);
        parking.unpark(thread);
    }

    /** Handlers seen to run longer than the limit, reported or not. */
    public long blockedHandlers() {
        return handlers.blockedOpaque();
    }

    /** Problems of pools' liveness found, reported or not. */
    public long livenessProblems() {
        return liveness.foundOpaque();
    }

    /** Reports at which a consumer failed, and looks at which the watchdog failed. */
    public long failures() {
        return failures.count();
    }

    public Thread thread() {
        return thread;
    }

    private void run() {
        while (!closed) {
            try {
                check();
            } catch (Throwable failure) { // out of memory, for instance: the next look may find more
                failures.log("the watchdog could not look at its pools", failure);
            }
            rest();
        }
    }

    private void check() {
        pools.removeIf(WatchedPool::isTerminated);
        handlers.check(pools, parking.nanoTime());
        liveness.check(pools);
    }

    private void rest() {
        try {
            parking.park(this, pools.isEmpty() ? Deadlines.FOREVER : pauseNs);
            if (Thread.interrupted()) {
                FailureLog.write(
                        LOGGER,
                        System.Logger.Level.DEBUG,
                        () -> "the watchdog was interrupted; only close ends it",
                        null);
            }
        } catch (Throwable failure) {
            failures.log("the watchdog could not rest", failure);
        }
    }

    /** Ends the watchdog and waits for its thread, unless the consumer calls this. */
    @Override
    public void close() {
        synchronized (this) {
            closed = true;
        }
        parking.unpark(thread);
        if (Thread.currentThread() == thread) {
            return;
        }
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
