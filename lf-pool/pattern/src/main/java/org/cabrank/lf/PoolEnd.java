package org.cabrank.lf;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.cabrank.lf.failure.FailureLog;
import org.cabrank.lf.handle.HandleSet;
import org.cabrank.lf.leadership.Deadlines;

/** The end of a pool: stops it on request or after a failure, and waits until its threads have left. Any thread may call any method. */
final class PoolEnd {
    private static final System.Logger LOGGER = System.getLogger(LeaderFollowersPool.class.getName());

    private final LeaderFollowersPool pool;
    private final PoolPhase phase;
    private final Members members;
    private final PoolLeadership leadership;
    private final Participation participation;
    private final ReplyWait replyWait;
    private final PoolWatch watch;
    private volatile Throwable failure;

    PoolEnd(
            LeaderFollowersPool pool,
            PoolPhase phase,
            Members members,
            PoolLeadership leadership,
            Participation participation,
            ReplyWait replyWait,
            PoolWatch watch) {
        this.pool = pool;
        this.phase = phase;
        this.members = members;
        this.leadership = leadership;
        this.participation = participation;
        this.replyWait = replyWait;
        this.watch = watch;
    }

    synchronized void stop(boolean now) {
        phase.stop(now);
        try {
            pool.wakeLeaders();
        } finally {
            try {
                leadership.wakeFollowers();
            } finally {
                try {
                    replyWait.wakeCrowd();
                } finally {
                    members.checkTerminated(phase.isStopping());
                    watch.wake();
                }
            }
        }
    }

    /** Stops a pool that cannot continue. Calls {@link PoolConfig#onFailure} for the first cause. Never throws. */
    void fail(Throwable cause) {
        boolean first = noteFailure(cause);
        try {
            stop(true);
        } catch (Throwable unwoken) {
            log(unwoken, "could not wake all its threads");
        }
        if (!first) {
            log(cause, "stops, and another cause followed");
            return;
        }
        log(cause, "stops, because it cannot continue");
        try {
            pool.config().onFailure().accept(pool, cause);
        } catch (Throwable refused) {
            FailureLog.write(LOGGER, System.Logger.Level.ERROR, () -> "onFailure of " + pool + " failed", refused);
        }
    }

    private synchronized boolean noteFailure(Throwable cause) {
        if (failure != null) {
            return false; // only the first failure is kept: a later one may be its consequence
        }
        failure = cause;
        return true;
    }

    private void log(Throwable cause, String outcome) {
        FailureLog.write(LOGGER, System.Logger.Level.ERROR, () -> pool + " " + outcome, cause);
    }

    Throwable failure() {
        return failure;
    }

    boolean await(Duration timeout) throws InterruptedException {
        return members.terminated().await(Deadlines.ns(timeout), TimeUnit.NANOSECONDS);
    }

    void close() {
        boolean takesPart = members.current() != null;
        Member last = takesPart ? null : reserveLast();
        try {
            stop(false);
        } finally {
            processBy(last); // even if a wake-up has failed: with the slot reserved, the pool would never terminate
        }
        if (takesPart) {
            return;
        }
        boolean interrupted = false;
        while (!pool.isTerminated()) {
            try {
                members.terminated().await();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    boolean stop(Duration limit) throws InterruptedException {
        if (members.current() != null) {
            throw new IllegalStateException(
                    Thread.currentThread().getName() + " takes part in " + pool + ", so it cannot wait for its end");
        }
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        long deadlineNs = Deadlines.after(limit, System.nanoTime());
        Member last = reserveLast();
        CompletableFuture<Boolean> processed = new CompletableFuture<>();
        if (last != null) {
            processed
                    .completeOnTimeout(false, Deadlines.ns(limit), TimeUnit.NANOSECONDS)
                    .thenAccept(inTime -> {
                        if (!inTime) {
                            stop(true);
                        }
                    });
        }
        try {
            stop(false);
        } finally {
            processBy(last);
            processed.complete(true); // cancels the timer, which would keep the pool in memory until the limit
        }
        Duration left =
                deadlineNs == HandleSet.FOREVER ? limit : Duration.ofNanos(Math.max(0, deadlineNs - System.nanoTime()));
        if (!await(left)) {
            stop(true);
            return false;
        }
        return !phase.isStoppingNow();
    }

    /** Returns a slot in which the caller processes the remaining events. Returns null if the pool has threads of its own. */
    private Member reserveLast() {
        return pool.isStarted() ? null : members.reserve();
    }

    private void processBy(Member last) {
        if (last != null) {
            participation.participate(pool.adopt(last), HandleSet.FOREVER);
        }
    }
}
