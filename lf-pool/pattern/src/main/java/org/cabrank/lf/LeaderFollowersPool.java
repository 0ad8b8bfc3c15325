package org.cabrank.lf;

import java.lang.invoke.MethodHandles;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.cabrank.lf.dispatch.Dispatcher;
import org.cabrank.lf.dispatch.HandleState;
import org.cabrank.lf.dispatch.ProcessingThread;
import org.cabrank.lf.dispatch.ServingPool;
import org.cabrank.lf.failure.FailureLog;
import org.cabrank.lf.failure.StackRoom;
import org.cabrank.lf.figures.Beans;
import org.cabrank.lf.figures.ObservedPool;
import org.cabrank.lf.figures.PoolFigures;
import org.cabrank.lf.handle.Handle;
import org.cabrank.lf.handle.HandleSet;
import org.cabrank.lf.jfr.FlightRecording;
import org.cabrank.lf.leadership.Deadlines;
import org.cabrank.lf.leadership.LeadershipCounts;
import org.cabrank.lf.leadership.Parking;
import org.cabrank.lf.leadership.StopCheck;
import org.cabrank.lf.leadership.Turn;
import org.cabrank.lf.leadership.Watcher;
import org.cabrank.lf.observe.BeanRegistration;
import org.cabrank.lf.observe.Contention;
import org.cabrank.lf.observe.LatencyCounters;
import org.cabrank.lf.observe.LatencyHistogram;
import org.cabrank.lf.observe.LeadershipCounters;
import org.cabrank.lf.observe.Liveness;
import org.cabrank.lf.observe.PoolCounters;
import org.cabrank.lf.observe.ThreadStatus;

/**
 * A pool of threads that take turns watching one or several handle sets (POSA2: Thread Pool). {@link #start} starts the pool's own threads.
 * Other threads take part by {@link #join}. Any thread may call any method unless the method's comment says otherwise.
 */
@SuppressWarnings("exports") // the superinterface lists the figures that JMX and meters read
public final class LeaderFollowersPool implements AutoCloseable, ObservedPool {
    /** The pool initializes these classes early. A class stays unusable if its initialization overflows the stack of a handler. */
    private static final List<Class<?>> USED_BY_HANDLERS = List.of(
            Reply.class,
            Turn.Outcome.class,
            Timers.class,
            Timer.class,
            Timer.State.class,
            TaskQueue.class,
            Deadlines.class,
            StackRoom.class,
            VirtualThreads.class);

    static {
        try {
            for (Class<?> used : USED_BY_HANDLERS) {
                MethodHandles.lookup().ensureInitialized(used);
            }
        } catch (IllegalAccessException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final List<HandleSet> sets;
    private final PoolConfig config;
    private final Parking parking;
    private final Members members;
    private final PoolLeadership leadership;
    private final Participation participation;
    private final ReplyWait replyWait;
    private final LivenessProbe livenessProbe;
    private final PoolThreads poolThreads;

    /** Null if the number of threads is fixed. */
    private final GrowingPool growing;

    private final Growth growth;
    private final PoolWatch watch;
    private final PoolEnd end;
    private final AtomicBoolean started = new AtomicBoolean();
    private final long madeNs;
    private final PoolPhase phase = new PoolPhase();
    private final WatchedPool watched = new Watched();

    /** Serves {@code set}. No other pool may serve the set. */
    public LeaderFollowersPool(HandleSet set, PoolConfig config) {
        this(List.of(set), config);
    }

    /**
     * Serves several sets with one group of threads (POSA2: multiple leaders, multiple followers). No other pool may serve these sets. A
     * free thread leads the set that was without a leader the longest. If each set has a leader, the thread waits to lead any of them.
     *
     * @throws IllegalArgumentException if there are fewer threads than sets, because some sets would never have a leader
     */
    public LeaderFollowersPool(List<? extends HandleSet> sets, PoolConfig config) {
        this(sets, config, Parking.SYSTEM);
    }

    LeaderFollowersPool(HandleSet set, PoolConfig config, Parking parking) {
        this(List.of(set), config, parking);
    }

    LeaderFollowersPool(List<? extends HandleSet> sets, PoolConfig config, Parking parking) {
        this(sets, config, parking, new Watcher(config.name(), parking), new Growth(), Growth.processors(new int[0]));
    }

    LeaderFollowersPool(
            List<? extends HandleSet> sets,
            PoolConfig config,
            Parking parking,
            Watcher watcher,
            Growth growth,
            int processors) {
        this.growth = growth;
        this.sets = List.copyOf(sets);
        this.config = config;
        this.parking = parking;
        this.madeNs = parking.nanoTime();
        requireFit();
        this.members = new Members(config.threads(), this.sets, config.latencyMeasured(), FlightRecording::poolEnds);
        List<HandleSet> taken = new ArrayList<>(this.sets.size());
        boolean complete = false;
        try {
            for (HandleSet set : this.sets) {
                set.dispatcher().take(config.threads() == 1, config.latencyMeasured());
                taken.add(set);
            }
            this.leadership = new PoolLeadership(this, this.sets, members, parking, watcher);
            this.participation = new Participation(this, this.sets, members, leadership);
            this.replyWait = new ReplyWait(this, members, leadership, participation, parking);
            this.livenessProbe = new LivenessProbe(this, members, leadership.words(), parking);
            this.poolThreads = new PoolThreads(this, members, participation);
            this.growing = config.grows()
                    ? new GrowingPool(watcher, growth, this, members, leadership, poolThreads, parking, processors)
                    : null;
            this.watch = new PoolWatch(this, watcher, leadership.watch(), growing);
            this.end = new PoolEnd(this, phase, members, leadership, participation, replyWait, watch);
            complete = true;
        } finally {
            if (!complete) { // so that the caller can close the sets, or have another pool serve them
                taken.forEach(set -> set.dispatcher().release());
            }
        }
        if (growing != null) {
            leadership.followers().whenNoFollowerIsLeft(growing::requestLook);
        }
        if (leadership.watch() != null) {
            leadership.followers().whenSomebodyFollows(me -> {
                watch.somebodyFollows();
                leadership.somebodyFollows(me);
            });
        }
        Serving serving = new Serving();
        this.sets.forEach(set -> set.dispatcher().servedBy(serving));
        FlightRecording.poolBegins();
    }

    private final class Watched implements WatchedPool {
        @Override
        public String name() {
            return config.name();
        }

        @Override
        public List<? extends Progress> progress() {
            return members.present();
        }

        @Override
        public String describeWork(Progress thread) {
            return LeaderFollowersPool.this.describeWork((Member) thread);
        }

        @Override
        public Liveness liveness(Duration limit) {
            return LeaderFollowersPool.this.liveness(limit);
        }

        @Override
        public boolean isTerminated() {
            return LeaderFollowersPool.this.isTerminated();
        }
    }

    private final class Serving implements ServingPool {
        @Override
        public ProcessingThread currentThread() {
            return members.current();
        }

        @Override
        public void wakeLeaders() {
            LeaderFollowersPool.this.wakeLeaders();
        }

        @Override
        public String name() {
            return config.name();
        }

        @Override
        public int indexOf(Dispatcher dispatcher) {
            int index = sets.size() - 1;
            while (index >= 0 && sets.get(index).dispatcher() != dispatcher) {
                index--;
            }
            return index;
        }

        @Override
        public boolean isTerminated() {
            return LeaderFollowersPool.this.isTerminated();
        }

        @Override
        public boolean isStopping() {
            return phase.isStopping();
        }

        @Override
        public boolean isStoppingNow() {
            return phase.isStoppingNow();
        }

        LeaderFollowersPool pool() {
            return LeaderFollowersPool.this;
        }

        @Override
        public String toString() {
            return LeaderFollowersPool.this.toString();
        }
    }

    /** Returns the pool that serves {@code set}, or null. */
    public static LeaderFollowersPool of(HandleSet set) {
        ServingPool serving = set.dispatcher().pool();
        return serving == null ? null : ((Serving) serving).pool();
    }

    private void requireFit() {
        if (sets.isEmpty() || Set.copyOf(sets).size() != sets.size()) {
            throw new IllegalArgumentException("a pool serves at least one handle set, and each once: " + sets);
        }
        for (HandleSet set : sets) {
            Dispatcher dispatcher = set.dispatcher();
            if (dispatcher.pool() != null) {
                throw new IllegalStateException(set + " is already served by " + dispatcher.pool());
            }
            dispatcher.requireServable(config.threads(), config.promotesEagerly());
            if (sets.size() > 1 && dispatcher.prefersOneLeader()) {
                throw new IllegalArgumentException(
                        set + " cannot share its threads with other handle sets: one thread leads it"
                                + " whenever it can; use threads for each shard, or epoll");
            }
        }
        if (config.initialThreads() < sets.size()) {
            throw new IllegalArgumentException(sets.size() + " handle sets need as many threads, not "
                    + config.initialThreads() + ": one that nobody watches would starve");
        }
    }

    /**
     * Starts {@link PoolConfig#initialThreads} threads and waits until each has run {@link PoolConfig#onThreadStart}. If this fails for a
     * thread, stops the pool. Throws IllegalStateException in this case, and if the pool was started before or is stopped.
     */
    public void start() {
        if (!started.compareAndSet(false, true)) {
            throw new IllegalStateException(this + " was started before");
        }
        requireRunning("start");
        startThreads();
        Throwable failure = failure();
        if (failure != null) {
            throw new IllegalStateException(this + " could not start: " + failure.getMessage(), failure);
        }
    }

    private void startThreads() {
        try {
            watch.begin();
        } catch (Throwable refused) { // no native thread could be started
            fail(refused);
            return;
        }
        if (growing == null) {
            poolThreads.start();
        } else {
            growing.startInitial();
        }
        watch.threadsTakePart();
    }

    void threadEnded() {
        growth.threadEnded();
    }

    /**
     * Like {@link #join(Duration)}, but without a limit. An interrupt does not end the call. The interrupt status is set again on return.
     */
    public void join() {
        join(HandleSet.FOREVER);
    }

    /**
     * The calling thread takes part until the pool stops or the time is up. A running handler ends first. Returns true if the pool stops.
     *
     * @throws IllegalStateException if the pool is stopped or has no free slot, if the calling thread takes part already, or if it is a
     *     virtual thread
     */
    public boolean join(Duration timeout) {
        return join(Deadlines.after(timeout, parking.nanoTime()));
    }

    private boolean join(long deadlineNs) {
        requireRunning("join");
        if (members.current() != null) {
            throw new IllegalStateException(Thread.currentThread().getName() + " takes part in " + this + " already");
        }
        if (VirtualThreads.isVirtual(Thread.currentThread())) {
            throw new IllegalStateException(VirtualThreads.refusal(Thread.currentThread(), this));
        }
        Member reserved = members.reserve();
        if (reserved == null) {
            requireRunning("join");
            throw new IllegalStateException(this + " has its full number of threads, " + config.threads());
        }
        return participation.participate(adopt(reserved), deadlineNs) == Turn.Outcome.STOPPED;
    }

    boolean isStarted() {
        return started.get();
    }

    Member adopt(Member reserved) {
        Member adopted = null;
        try {
            adopted = members.adopt(reserved, Thread.currentThread());
            return adopted;
        } finally {
            if (adopted == null) { // out of memory
                members.remove(reserved);
                placeFreed();
            }
        }
    }

    /**
     * A handler calls this before a slow step, so that a follower leads at once. If no thread follows, the next thread that becomes free
     * leads. Requests of earlier handlers are sent to the kernel in any case. Returns false if leadership was passed on before, for
     * instance by an eager promotion or a takeover, or if the pool has one thread.
     *
     * @throws IllegalStateException if the calling thread is not processing an event of this pool
     */
    public boolean promoteNewLeader() {
        Member me = members.current();
        if (me == null || !me.processing) {
            throw new IllegalStateException(
                    Thread.currentThread().getName() + " is not processing an event of " + this);
        }
        return leadership.promoteNewLeader(me);
    }

    /** Returns a new reply. A thread that waits for the reply takes part in this pool. */
    public <T> Reply<T> newReply() {
        return new Reply<>(replyWait);
    }

    /**
     * Stops the dispatch of the handle. Its further events are kept until {@link #reactivateHandle}. A running handler runs to its end.
     * Throws IllegalStateException if the handle is already deactivated or closed.
     */
    public void deactivateHandle(Handle handle) {
        requireOwn(handle);
        if (!handle.handleSet().dispatcher().suspend(handle)) {
            throw new IllegalStateException(handle + (handle.isClosed() ? " is closed" : " is deactivated already"));
        }
    }

    /** Dispatches the handle again and delivers the kept events. Throws IllegalStateException if the handle was not deactivated. */
    public void reactivateHandle(Handle handle) {
        requireOwn(handle);
        if (!handle.handleSet().dispatcher().resume(handle)) {
            throw new IllegalStateException(handle + " was not deactivated");
        }
    }

    private void requireOwn(Handle handle) {
        if (of(handle.handleSet()) != this) {
            throw new IllegalArgumentException(handle + " is not of a handle set of " + this);
        }
    }

    /** Stops gracefully: the threads process all detected events and then leave. Returns without waiting for the threads. */
    public void stop() {
        end.stop(false);
    }

    /** Stops at once. Running handlers run to their end, but no further event is processed. Returns without waiting for the threads. */
    public void stopNow() {
        end.stop(true);
    }

    void wakeLeaders() {
        Throwable refused = null;
        for (HandleSet set : sets) {
            try {
                set.wakeup();
            } catch (Throwable one) {
                refused = one;
            }
        }
        if (refused instanceof Error error) {
            throw error;
        } else if (refused != null) {
            throw (RuntimeException) refused;
        }
    }

    void placeFreed() {
        replyWait.wakeCrowd();
        if (growing != null) {
            growing.requestLook(); // an earlier check may have added no thread because all slots were taken
        }
    }

    void fail(Throwable cause) {
        end.fail(cause);
    }

    private void requireRunning(String call) {
        if (phase.isStopping()) {
            throw new IllegalStateException(call + ": " + this + " is stopped");
        }
    }

    /** Waits until the pool has stopped and every thread has left. Returns false if the time is up first. */
    public boolean awaitTermination(Duration timeout) throws InterruptedException {
        return end.await(timeout);
    }

    /**
     * Stops gracefully and waits until all threads have left. A call from a handler returns without waiting. If the pool was never started,
     * the caller processes the detected events and the posts, so that accepted tasks run.
     */
    @Override
    public void close() {
        end.close();
    }

    /**
     * Stops gracefully and waits until all threads have left, but at most {@code limit}. If the time is up, calls {@link #stopNow} and
     * returns, although handlers may still run. If the caller is interrupted, the graceful stop continues without a limit. If the pool was
     * never started, the caller processes the events as in {@link #close}, and this call may return late. Returns true if all accepted work
     * is done and all threads have left. Returns false if the time is up, or if {@code stopNow} was called before.
     *
     * @throws IllegalStateException if the calling thread takes part in the pool, because it would wait for itself
     */
    public boolean stop(Duration limit) throws InterruptedException {
        return end.stop(limit);
    }

    @Override
    public boolean isTerminated() {
        return members.terminated().getCount() == 0;
    }

    /** Returns the failure that stopped the pool, or null. It is set before the pool terminates. */
    @Override
    public Throwable failure() {
        return end.failure();
    }

    /** Returns true if the calling thread takes part in any pool of this process. */
    public static boolean isPoolThread() {
        return Members.isCallerMemberOfAny();
    }

    Member currentMember() {
        return members.current();
    }

    StopCheck phase() {
        return phase;
    }

    boolean isStopping() {
        return phase.isStopping();
    }

    boolean isStoppingNow() {
        return phase.isStoppingNow();
    }

    @Override
    public List<ThreadStatus> threads() {
        List<ThreadStatus> status = new ArrayList<>();
        for (Member member : members.present()) {
            status.add(leadership.statusOf(member));
        }
        return status;
    }

    /**
     * Probes the pool for problems that keep it from serving. A failed pool is a problem at once. Other states, for instance a set that no
     * thread watches, usually pass. They are a problem only if two probes at least {@code limit} apart have seen the same state, and no
     * probe between them has seen another state. So call this method regularly. A pool that was stopped and has terminated has no problem.
     * A probe does not slow the pool's threads down. It may read a file of /proc for each thread.
     *
     * @param limit time that a passing state may last. It must not be negative, and should be longer than any handler takes. The default is
     *     {@link Liveness#LIMIT_DEFAULT}
     */
    @Override
    public Liveness liveness(Duration limit) {
        if (limit.isNegative()) {
            throw new IllegalArgumentException("the limit must not be negative, but is " + limit);
        }
        return livenessProbe.probe(Deadlines.ns(limit));
    }

    /** The handle sets that the pool serves, in constructor order. The list never changes. */
    public List<HandleSet> handleSets() {
        return sets;
    }

    /** Number of handles registered in the pool's handle sets. Takes no lock. */
    @Override
    public int handleCount() {
        return sets.stream().mapToInt(HandleSet::handleCount).sum();
    }

    @Override
    public String name() {
        return config.name();
    }

    /** @hidden */
    @Override
    public Settings settings() {
        return new Settings(
                config.threads(),
                config.promotion().toString(),
                config.order().toString(),
                config.waiting().toString(),
                config.latencyMeasured());
    }

    WatchedPool watched() {
        return watched;
    }

    String describeWork(Member member) {
        for (HandleSet set : sets) {
            HandleState held = set.dispatcher().heldBy(member);
            if (held != null) {
                return FailureLog.name(held);
            }
        }
        String concurrent = member.describeConcurrent();
        return concurrent != null ? concurrent : "a handle that it no longer holds";
    }

    /** Registers this pool as {@code org.cabrank:type=Pool,name=NAME} in JMX. Throws IllegalStateException if this runtime has no JMX. */
    public BeanRegistration registerBean() {
        return Beans.register(this, PoolFigures.POOL, "Pool", name());
    }

    /** Registers {@code org.cabrank:type=Latency,name=NAME,histogram=HISTOGRAM} in JMX. Throws IllegalStateException without JMX. */
    public BeanRegistration registerBean(LatencyHistogram histogram) {
        return Beans.registerHistogram(histogram, name());
    }

    @Override
    public long kernelRetries() {
        return sets.stream().mapToLong(HandleSet::kernelRetryCount).sum();
    }

    /** Events and promotions counted since the start. Takes no lock, so the newest changes may be missing. */
    @Override
    public PoolCounters counters() {
        return members.counters(growing);
    }

    /** Costs of passing leadership on, counted since the start. Takes no lock, so the newest changes may be missing. */
    @Override
    public LeadershipCounters leadershipCounters() {
        LeadershipCounts counts = leadership.followers().counts();
        return new LeadershipCounters(
                parking.nanoTime(),
                counters().processed(),
                counts.handOvers.sum(),
                counts.handOverWaitNs.sum(),
                counts.failedTakeovers.sum(),
                counts.wakeups.sum(),
                counts.lockWaits.sum());
    }

    /** Processing times of all threads' events. Empty unless {@link PoolConfig#latencyMeasured} is set. The newest times may be missing. */
    @Override
    public LatencyCounters latencyCounters() {
        return members.latencyCounters();
    }

    /** Contention at the leadership words over the pool's whole life. */
    @Override
    public Contention contention() {
        return Contention.between(
                new LeadershipCounters(madeNs, 0, 0, 0, 0, 0, 0), leadershipCounters(), config.promotesEagerly());
    }

    public PoolConfig config() {
        return config;
    }

    @Override
    public String toString() {
        return "pool " + config.name();
    }
}
