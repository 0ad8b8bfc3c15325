package org.cabrank.lf;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A pool of threads that take turns watching one handle set (POSA2: Thread Pool).
 *
 * <p>Threads take part by {@link #start}, which creates them, or by calling {@link #join} themselves. Leadership is passed
 * on on every way out: time-out, stop, a handler that throws, and an error that ends the thread.
 *
 * <p>All methods may be called by any thread unless they say otherwise.
 */
public final class LeaderFollowersPool implements AutoCloseable {
    private enum Phase {
        RUNNING,
        STOPPING,
        STOPPING_NOW
    }

    private static final System.Logger LOGGER = System.getLogger(LeaderFollowersPool.class.getName());

    /** Longer time-outs are for ever. */
    private static final Duration TIMEOUT_MAX = Duration.ofDays(36_500);

    private final HandleSet set;
    private final PoolConfig config;
    private final Parking parking;
    private final LeadershipWord word = new LeadershipWord();
    private final Followers followers;
    private final FollowerWait followerWait;
    private final Turn turn;
    private final Members members;
    private final AtomicBoolean started = new AtomicBoolean();
    private volatile Phase phase = Phase.RUNNING;
    private volatile Throwable failure;

    /** Serves {@code set}, which no other pool may serve. */
    public LeaderFollowersPool(HandleSet set, PoolConfig config) {
        this(set, config, Parking.SYSTEM);
    }

    LeaderFollowersPool(HandleSet set, PoolConfig config, Parking parking) {
        this.set = set;
        this.config = config;
        this.parking = parking;
        this.members = new Members(config.threads());
        this.followers = new Followers(word, parking, config.promotion() instanceof Promotion.Deferred);
        this.followerWait = new FollowerWait(this, word, followers, parking, config.waiting(), config.promotion());
        this.turn = turn();
        set.pool(this);
    }

    private Turn turn() {
        EventProcessor processor = new EventProcessor(set);
        Watch watch = new Watch(set, parking, config.waiting(), this);
        if (config.threads() == 1) {
            return new SoloTurn(set, processor, watch);
        }
        return config.promotion() instanceof Promotion.Eager
                ? new EagerTurn(set, processor, watch, word, followers)
                : new DeferredTurn(set, processor, watch, word, followers);
    }

    /**
     * Starts the configured number of threads and waits until each of them has run {@link PoolConfig#onThreadStart}.
     *
     * @throws IllegalStateException when the pool was started before, or is stopped, or {@code onThreadStart} failed; the
     *     pool is stopped then
     */
    public void start() {
        if (!started.compareAndSet(false, true)) {
            throw new IllegalStateException(this + " was started before");
        }
        requireRunning("start");
        CountDownLatch ready = new CountDownLatch(config.threads());
        for (int i = 0; i < config.threads(); i++) {
            startThread(i, ready);
        }
        boolean interrupted = false;
        while (ready.getCount() > 0) {
            try {
                ready.await();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        if (failure != null) {
            throw new IllegalStateException(this + " could not start: " + failure.getMessage(), failure);
        }
    }

    private void startThread(int number, CountDownLatch ready) {
        Member reserved = members.reserve();
        if (reserved == null) { // stopped meanwhile, or another thread has joined in its place
            ready.countDown();
            return;
        }
        try {
            new Thread(() -> runThread(reserved, number, ready), config.name() + "-" + number).start();
        } catch (Throwable refused) { // out of threads: the others must not wait for this one
            members.remove(reserved);
            fail(refused);
            ready.countDown();
        }
    }

    private void runThread(Member reserved, int number, CountDownLatch ready) {
        Member me = members.adopt(reserved, Thread.currentThread());
        try {
            try {
                config.onThreadStart().accept(number);
            } catch (Throwable refused) {
                fail(refused);
            } finally {
                ready.countDown();
            }
            participate(me, HandleSet.FOREVER);
        } catch (VirtualMachineError fatal) {
            LOGGER.log(
                    System.Logger.Level.ERROR, Thread.currentThread().getName() + " ends; another replaces it", fatal);
            startThread(number, new CountDownLatch(1));
            throw fatal;
        }
    }

    /** Takes part until the pool stops. An interrupt does not end it; the status is set again on return. */
    public void join() {
        join(HandleSet.FOREVER);
    }

    /**
     * Takes part until the pool stops (true) or the time is up (false). A handler that runs when the time is up runs to
     * its end.
     *
     * @throws IllegalStateException when the pool is stopped, the calling thread takes part already, or the pool has its
     *     full number of threads
     */
    public boolean join(Duration timeout) {
        boolean bounded = timeout.compareTo(TIMEOUT_MAX) < 0;
        return join(bounded ? parking.nanoTime() + timeout.toNanos() : HandleSet.FOREVER);
    }

    private boolean join(long deadlineNs) {
        requireRunning("join");
        if (members.current() != null) {
            throw new IllegalStateException(Thread.currentThread().getName() + " takes part in " + this + " already");
        }
        Member reserved = members.reserve();
        if (reserved == null) {
            requireRunning("join");
            throw new IllegalStateException(this + " has its full number of threads, " + config.threads());
        }
        return participate(members.adopt(reserved, Thread.currentThread()), deadlineNs) == Turn.End.STOPPED;
    }

    private Turn.End participate(Member me, long deadlineNs) {
        try {
            Turn.End end = Turn.End.PASSED_ON;
            while (end == Turn.End.PASSED_ON || end == Turn.End.LEADER) {
                end = config.threads() == 1 ? Turn.End.LEADER : followerWait.awaitLeadership(me, deadlineNs);
                if (end == Turn.End.LEADER) {
                    end = turn.lead(me, deadlineNs);
                }
            }
            return end;
        } catch (VirtualMachineError fatal) {
            throw fatal;
        } catch (Throwable broken) { // of the handle set: handlers' failures do not come this far
            fail(broken);
            return Turn.End.STOPPED;
        } finally {
            relinquish(me);
            members.remove(me);
            if (me.interrupted) {
                me.thread.interrupt();
            }
        }
    }

    /** However a thread comes to leave: if it leads, it passes leadership on. */
    private void relinquish(Member me) {
        me.processing = false;
        if (config.threads() == 1) {
            return;
        }
        if (me.following) {
            followers.leave(me);
        }
        long seen = word.wordAcquire();
        if (LeadershipWord.owner(seen) == me.id
                && (LeadershipWord.phase(seen) != LeadershipWord.PROCESSING || word.endProcessing(seen))) {
            followers.handOver(0);
        }
    }

    /**
     * Called by a handler before it does something slow: a follower becomes leader now, or the next thread that comes back
     * does if none waits.
     *
     * @return true: leadership was passed on by this call; false: there was no need, because it had been passed on already
     *     (eager promotion, a takeover by the standby, an earlier call), or no chance, because the pool has one thread
     * @throws IllegalStateException when the calling thread is not processing an event of this pool
     */
    public boolean promoteNewLeader() {
        Member me = members.current();
        if (me == null || !me.processing) {
            throw new IllegalStateException(
                    Thread.currentThread().getName() + " is not processing an event of " + this);
        }
        if (me.begun == 0) {
            return false;
        }
        boolean promoted = followers.promoteWhileProcessing(me.begun);
        me.begun = 0;
        if (promoted) {
            me.promotions.add(1);
        }
        return promoted;
    }

    /**
     * Nothing is dispatched for the handle from now on; what becomes ready is noted. A handler that runs at this moment
     * runs to its end.
     *
     * @throws IllegalStateException when the handle is deactivated already, or closed
     */
    public void deactivateHandle(Handle handle) {
        requireOwn(handle);
        if (!handle.suspend()) {
            throw new IllegalStateException(handle + (handle.isClosed() ? " is closed" : " is deactivated already"));
        }
    }

    /**
     * Undoes {@link #deactivateHandle}: what has become ready meanwhile is dispatched.
     *
     * @throws IllegalStateException when the handle was not deactivated
     */
    public void reactivateHandle(Handle handle) {
        requireOwn(handle);
        switch (handle.resume(set.deactivation() == Deactivation.ONESHOT ? Ready.REARM : 0)) {
            case WAS_NOT_SUSPENDED -> throw new IllegalStateException(handle + " was not deactivated");
            case POST_DUE -> set.enqueuePosted(handle);
            case NOTHING_DUE -> {
                // the claim holder goes on with it, or it is simply armed again
            }
        }
    }

    private void requireOwn(Handle handle) {
        if (handle.handleSet() != set) {
            throw new IllegalArgumentException(handle + " is not of the handle set of " + this);
        }
    }

    /** Graceful: what has been detected is processed, then the threads leave. Does not wait for them. */
    public void stop() {
        stop(Phase.STOPPING);
    }

    /** Handlers that run come to their end; nothing else is processed. Does not wait for them. */
    public void stopNow() {
        stop(Phase.STOPPING_NOW);
    }

    private synchronized void stop(Phase wanted) {
        if (wanted.compareTo(phase) > 0) {
            phase = wanted;
        }
        set.wakeup();
        followers.wakeAll();
        members.checkTerminated(phase != Phase.RUNNING);
    }

    private void fail(Throwable cause) {
        synchronized (this) {
            if (failure == null) { // the first is the cause, what follows may be its consequence
                failure = cause;
            }
        }
        LOGGER.log(System.Logger.Level.ERROR, this + " stops, because it cannot go on", cause);
        stopNow();
    }

    private void requireRunning(String call) {
        if (phase != Phase.RUNNING) {
            throw new IllegalStateException(call + ": " + this + " is stopped");
        }
    }

    /** Waits until the pool was stopped and every thread has left; false: the time was up. */
    public boolean awaitTermination(Duration timeout) throws InterruptedException {
        Duration bounded = timeout.compareTo(TIMEOUT_MAX) < 0 ? timeout : TIMEOUT_MAX;
        return members.terminated().await(bounded.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** Stops gracefully and waits for the threads; a handler that calls this does not wait for itself. */
    @Override
    public void close() {
        stop();
        if (members.current() != null) {
            return;
        }
        boolean interrupted = false;
        while (!isTerminated()) {
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

    public boolean isTerminated() {
        return members.terminated().getCount() == 0;
    }

    /** Why the pool stopped by itself, or null. */
    public Throwable failure() {
        return failure;
    }

    boolean isStopping() {
        return phase != Phase.RUNNING;
    }

    boolean isStoppingNow() {
        return phase == Phase.STOPPING_NOW;
    }

    /** A thread that takes part and what it does at this moment. */
    public record ThreadStatus(String name, ThreadState state) {}

    /** The threads that take part. */
    public List<ThreadStatus> threads() {
        List<ThreadStatus> status = new ArrayList<>();
        for (Member member : members.present()) {
            status.add(new ThreadStatus(member.thread.getName(), stateOf(member)));
        }
        return status;
    }

    private ThreadState stateOf(Member member) {
        if (member.following) {
            return ThreadState.FOLLOWER;
        }
        if (config.threads() == 1) {
            return member.processing ? ThreadState.PROCESSING : ThreadState.LEADER;
        }
        long seen = word.wordAcquire();
        boolean leads =
                LeadershipWord.owner(seen) == member.id && LeadershipWord.phase(seen) != LeadershipWord.PROCESSING;
        return leads ? ThreadState.LEADER : ThreadState.PROCESSING;
    }

    /** What has been counted so far; a little late for what other threads do at this moment. */
    public PoolCounters counters() {
        return members.counters(set);
    }

    public PoolConfig config() {
        return config;
    }

    @Override
    public String toString() {
        return "pool " + config.name();
    }
}
