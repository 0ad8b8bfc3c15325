package org.cabrank.lf;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.cabrank.lf.handle.Deactivation;
import org.cabrank.lf.handle.Handle;
import org.cabrank.lf.leadership.Watcher;
import org.cabrank.lf.observe.ThreadState;
import org.cabrank.lf.observe.ThreadStatus;

/** A pool over a fake handle set in virtual time, with threads that join one after the other, so that order is known. */
final class PoolFixture implements AutoCloseable {
    static final Duration MAX_GAP = Duration.ofNanos(100_000);
    static final long GAP_NS = MAX_GAP.toNanos();
    static final long LOOK_NS = GAP_NS / 2;

    final VirtualTime time = new VirtualTime();
    final List<FakeHandleSet> sets = new ArrayList<>();

    /** The first, or only one. */
    final FakeHandleSet set;

    final LeaderFollowersPool pool;

    /** Looks after the pool. */
    final Watcher watcher;

    /** Of the pool, if it grows. */
    final Growth growth;

    /** Actions of handlers, in order. */
    final List<String> log = Collections.synchronizedList(new ArrayList<>());

    private final List<Gate> gates = new ArrayList<>();
    private final Map<String, JoiningThread> participants = new TreeMap<>();
    private final List<Waiter> waiters = new ArrayList<>();

    PoolFixture(PoolConfig config, Deactivation deactivation) {
        this(config, deactivation, 1);
    }

    PoolFixture(PoolConfig config, Deactivation deactivation, int setCount) {
        this(config, deactivation, setCount, false);
    }

    private PoolFixture(PoolConfig config, Deactivation deactivation, int setCount, boolean prefersOneLeader) {
        this(config, deactivation, setCount, prefersOneLeader, Growth.ADDED_MAX);
    }

    private PoolFixture(
            PoolConfig config, Deactivation deactivation, int setCount, boolean prefersOneLeader, int addedMax) {
        watcher = new Watcher(config.name(), time);
        growth = new Growth(addedMax, Growth.UNUSED_NS);
        for (int i = 0; i < setCount; i++) {
            sets.add(new FakeHandleSet(deactivation, time, prefersOneLeader));
        }
        set = sets.get(0);
        pool = new LeaderFollowersPool(sets, config, time, watcher, growth, 1);
    }

    PoolFixture(int threads, Promotion promotion) {
        this(PoolConfig.of("test", threads).withPromotion(promotion), Deactivation.CLAIM);
    }

    static PoolFixture deferred(int threads) {
        return new PoolFixture(threads, Promotion.deferred(MAX_GAP));
    }

    /** Over a set that prefers one leader. */
    static PoolFixture withRegularLeader(PoolConfig config) {
        return new PoolFixture(config, Deactivation.CLAIM, 1, true);
    }

    /** Grows on one CPU, and {@code addedMax} threads may be added to all pools of its {@link #growth}. */
    static PoolFixture growing(PoolConfig config, int addedMax) {
        return new PoolFixture(config, Deactivation.CLAIM, 1, false, addedMax);
    }

    static PoolFixture eager(int threads) {
        return new PoolFixture(threads, Promotion.eager());
    }

    Gate gate() {
        Gate gate = new Gate(time);
        gates.add(gate);
        return gate;
    }

    /** A handle whose handler writes its name and its thread into the log. */
    FakeHandle quick(String name) {
        return quick(set, name);
    }

    FakeHandle quick(FakeHandleSet of, String name) {
        return of.register(
                name,
                (handle, ready) ->
                        log.add(name + " by " + Thread.currentThread().getName()));
    }

    /** A handle whose handler says that it has begun, waits at the gate, and says that it has ended. */
    FakeHandle slow(String name, Gate gate) {
        return slow(set, name, gate);
    }

    FakeHandle slow(FakeHandleSet of, String name, Gate gate) {
        return of.register(name, (handle, ready) -> {
            String by = " by " + Thread.currentThread().getName();
            log.add(name + " begun" + by);
            gate.pass();
            log.add(name + " ended" + by);
        });
    }

    /** These threads join without a time-out, one after the other: the first leads. */
    void join(String... names) {
        for (String name : names) {
            join(name, null);
        }
    }

    JoiningThread join(String name, Duration timeout) {
        JoiningThread participant = new JoiningThread(name, pool, timeout);
        participants.put(name, participant);
        time.await(name + " takes part", () -> participant.hasLeft() || states().containsKey(name));
        awaitIdle();
        return participant;
    }

    /** A thread of this name waits for the reply, and rests when this returns. */
    Waiter await(String name, Reply<?> reply, Duration timeout) {
        return await(name, () -> reply.await(timeout));
    }

    Waiter await(String name, Callable<?> waiting) {
        Waiter waiter = new Waiter(name, waiting);
        waiters.add(waiter);
        time.await(name + " waits", () -> waiter.isOver() || time.rests(waiter.thread));
        awaitIdle();
        return waiter;
    }

    Waiter await(String name, Reply<?> reply) {
        return await(name, reply, Duration.ofDays(1));
    }

    void awaitOver(Waiter waiter) {
        time.await(waiter.thread.getName() + " has its reply", waiter::isOver);
        awaitIdle();
    }

    JoiningThread participant(String name) {
        return participants.get(name);
    }

    void report(Handle... handles) {
        ((FakeHandleSet) handles[0].handleSet()).report(handles);
        awaitIdle();
    }

    /**
     * Moves the clock when all threads rest: a leader that has computed how long it will wait, and does not wait yet, would wait as
     * long from the changed time on, and miss what is due.
     */
    void advance(long ns) {
        awaitIdle();
        time.advance(ns);
        awaitIdle();
    }

    void open(Gate gate) {
        gate.open();
        awaitIdle();
    }

    /** Waits until every thread of the pool waits for something that only the test can bring about. */
    void awaitIdle() {
        time.await(
                "all threads rest",
                () -> watcherRests()
                        && pool.threads().stream().allMatch(status -> {
                            JoiningThread participant = participants.get(status.name());
                            Thread thread = participant != null ? participant.thread : named(status.name());
                            return thread != null && time.rests(thread);
                        }));
    }

    /** True also if there is no watcher. */
    private boolean watcherRests() {
        Thread thread = watcher.thread();
        return thread == null || time.rests(thread);
    }

    static Thread named(String name) {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals(name))
                .findAny()
                .orElse(null);
    }

    ThreadState state(String name) {
        return states().get(name);
    }

    Map<String, ThreadState> states() {
        Map<String, ThreadState> states = new TreeMap<>();
        for (ThreadStatus status : pool.threads()) {
            states.put(status.name(), status.state());
        }
        return states;
    }

    /** Returns true if nothing but another thread will wake the watcher. */
    boolean watcherRestsWithoutTimer() {
        return time.restsWithoutTimer(watcher.thread());
    }

    void awaitLeft(String name) {
        time.await(name + " has left", () -> participants.get(name).hasLeft());
    }

    void awaitTerminated() {
        time.await("the pool has terminated", pool::isTerminated);
    }

    @Override
    public void close() {
        gates.forEach(Gate::open);
        pool.stopNow();
        awaitTerminated();
        time.await(
                "all threads have ended", () -> participants.values().stream().allMatch(JoiningThread::hasLeft));
        time.await("all waits are over", () -> waiters.stream().allMatch(Waiter::isOver));
        for (FakeHandleSet each : sets) {
            each.close();
            assertTrue(each.handles().isEmpty());
        }
    }
}
