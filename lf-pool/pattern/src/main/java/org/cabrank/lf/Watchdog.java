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
 * Reports event handlers that run longer than a limit, together with their stack. It does not matter if they sleep or compute. Each
 * different stack is reported once. Any thread may call any method.
 *
 * <p>One daemon thread, {@code cabrank-watchdog}, watches any number of pools. It reports a handler after 1 to 1.5 times the limit. If the
 * handler keeps running, its stack is taken again each time its running time has doubled. Handlers do no extra work for this.
 *
 * <p>The watchdog also probes each pool's {@linkplain LeaderFollowersPool#liveness liveness} with the same limit, and reports each problem
 * when it begins. If a consumer throws or memory is short, the watchdog logs the failure once per kind and continues.
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

    /** Returns {@code limit}. Throws IllegalArgumentException unless it is from 1 ms to 1 day. */
    public static Duration requireLimit(Duration limit) {
        Objects.requireNonNull(limit, "limit");
        if (limit.compareTo(LIMIT_MIN) < 0 || limit.compareTo(LIMIT_MAX) > 0) {
            throw new IllegalArgumentException("a watchdog's limit must be from 1ms to 1 day, but is " + limit);
        }
        return limit;
    }

    /** Starts a watchdog that logs each report as a warning. {@code limit} is from 1 ms to 1 day. */
    public static Watchdog start(Duration limit) {
        return start(
                limit,
                handler -> LOGGER.log(
                        System.Logger.Level.WARNING,
                        handler.describe() + " (logged once per stack; further ones are counted)"));
    }

    /** Starts a watchdog. Its thread passes each report to {@code consumer}, and counts the consumer's exceptions. */
    public static Watchdog start(Duration limit, Consumer<BlockedHandler> consumer) {
        return new Watchdog(limit, consumer, Watchdog::logProblem, Parking.SYSTEM);
    }

    /** Like {@link #start(Duration, Consumer)}, but passes each liveness problem to {@code problems} instead of logging it. */
    public static Watchdog start(
            Duration limit, Consumer<? super BlockedHandler> consumer, Consumer<? super Liveness.Problem> problems) {
        return new Watchdog(limit, consumer, problems, Parking.SYSTEM);
    }

    private static void logProblem(Liveness.Problem problem) {
        LOGGER.log(System.Logger.Level.WARNING, problem + " (logged when it begins)");
    }

    /** Watches {@code pool} until it has terminated. Throws IllegalStateException if the watchdog is closed or already watches the pool. */
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

    /** Number of handlers that ran longer than the limit. Includes handlers that were not reported because their stack was known. */
    public long blockedHandlers() {
        return handlers.blockedOpaque();
    }

    /** Number of liveness problems found so far. */
    public long livenessProblems() {
        return liveness.foundOpaque();
    }

    /** Number of times that a consumer threw or a check of the watchdog failed. */
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
            } catch (Throwable failure) { // out of memory, for instance: the next check may find memory again
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

    /** Ends the watchdog and waits for its thread. A call from a consumer returns without waiting. */
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
