package org.cabrank.lf;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.cabrank.lf.fixture.Await;
import org.cabrank.lf.handle.HandleSet;
import org.cabrank.lf.leadership.Candidate;
import org.cabrank.lf.leadership.Parking;
import org.cabrank.lf.leadership.Watcher;

/**
 * A clock that moves only when a test moves it, and the parking that goes by it. Everything a thread of a pool under test
 * can wait for (a permit, an event, a gate in a handler) is waited for here, so that a test can wait until all of them
 * rest, and then knows that nothing more happens before it does something itself.
 */
@SuppressWarnings({"exports", "missing-explicit-ctor"}) // tests alone see this class
public final class VirtualTime implements Parking {
    static final long US = 1_000;
    static final long MS = 1_000_000;

    /** Condition of a resting thread. */
    private record Rest(BooleanSupplier over, boolean hasTimer) {}

    final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Map<Thread, Rest> resting = new HashMap<>();
    private final Set<Thread> permits = new HashSet<>();

    /** Those whose park is to end for it: their status is clear for a moment, while the wait on the condition ends. */
    private final Set<Thread> interrupted = new HashSet<>();

    private final Map<Thread, Integer> unparks = new HashMap<>();
    private final List<String> unparked = new ArrayList<>();
    private final Set<String> computing = ConcurrentHashMap.newKeySet();
    private final Set<String> inTheKernel = ConcurrentHashMap.newKeySet();
    private Runnable beforeParkForever;
    private Runnable atNextUnpark = () -> {};
    private Runnable behindNextUnpark = () -> {};

    /** Wraps around after a good millisecond: nobody may compare two instants but by their difference. */
    private long nowNs = Long.MAX_VALUE - MS - 7;

    @Override
    public long nanoTime() {
        lock.lock();
        try {
            return nowNs;
        } finally {
            lock.unlock();
        }
    }

    /** From now on this thread, whatever it rests at, is one that uses a processor, or waits for one. */
    void computes(String thread) {
        computing.add(thread);
    }

    /** From now on this thread is blocked again, wherever it rests. */
    void blocks(String thread) {
        computing.remove(thread);
    }

    /** From now on this thread, whatever it rests at, is in a system call, of which Java knows nothing. */
    void isInTheKernel(String thread) {
        inTheKernel.add(thread);
    }

    @Override
    public boolean isWaiting(Candidate member) {
        return isBlocked(member) && !inTheKernel.contains(member.thread.getName());
    }

    @Override
    public boolean isBlocked(Candidate member) {
        return !computing.contains(member.thread.getName());
    }

    void advance(long ns) {
        change(() -> nowNs += ns);
    }

    /** Does something that resting threads may wait for. */
    void change(Runnable change) {
        lock.lock();
        try {
            change.run();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Rests until {@code over}, which may use what {@link #change} changes. */
    void rest(BooleanSupplier over) {
        rest(over, false, false);
    }

    /** Rests until {@code over} or until {@code ns} have passed. */
    void rest(BooleanSupplier over, long ns) {
        rest(over, ns, false);
    }

    private void rest(BooleanSupplier over, long ns, boolean interruptible) {
        lock.lock();
        try {
            long deadlineNs = nowNs + ns;
            boolean bounded = ns != HandleSet.FOREVER;
            rest(() -> over.getAsBoolean() || bounded && deadlineNs - nowNs <= 0, bounded, interruptible);
        } finally {
            lock.unlock();
        }
    }

    private void rest(BooleanSupplier over, boolean hasTimer, boolean interruptible) {
        Thread me = Thread.currentThread();
        lock.lock();
        try {
            resting.put(me, new Rest(over, hasTimer));
            changed.signalAll();
            while (!over.getAsBoolean()) {
                if (interruptible) {
                    try {
                        changed.await();
                    } catch (InterruptedException e) {
                        me.interrupt(); // a park returns and leaves the status
                    }
                } else {
                    changed.awaitUninterruptibly();
                }
            }
        } finally {
            resting.remove(me);
            lock.unlock();
        }
    }

    @Override
    public void park(Object blocker, long nanos) {
        Thread me = Thread.currentThread();
        Runnable interlude = null;
        lock.lock();
        try {
            if (nanos == HandleSet.FOREVER && blocker instanceof Watcher) {
                interlude = beforeParkForever;
                beforeParkForever = null;
            }
        } finally {
            lock.unlock();
        }
        if (interlude != null) {
            interlude.run();
        }
        rest(() -> permits.contains(me) || interrupted.contains(me) || me.isInterrupted(), nanos, true);
        change(() -> {
            permits.remove(me);
            interrupted.remove(me);
        });
    }

    /** Runs {@code interlude} once, on the thread that wakes another thread next. */
    void atNextUnpark(Runnable interlude) {
        change(() -> atNextUnpark = interlude);
    }

    @Override
    public void unpark(Thread thread) {
        Runnable interlude = atNextUnpark;
        atNextUnpark = () -> {};
        interlude.run();
        change(() -> {
            permits.add(thread);
            unparks.merge(thread, 1, Integer::sum);
            unparked.add(thread.getName());
        });
        Runnable preemption = behindNextUnpark;
        behindNextUnpark = () -> {};
        preemption.run();
    }

    /** Runs {@code preemption} once, on the next thread that wakes another, when it has woken it: the woken one may run first. */
    void behindNextUnpark(Runnable preemption) {
        behindNextUnpark = preemption;
    }

    /** The threads that have been woken since this was asked last, in that order. */
    List<String> takeUnparked() {
        List<String> taken = new ArrayList<>();
        change(() -> {
            taken.addAll(unparked);
            unparked.clear();
        });
        return taken;
    }

    void interrupt(Thread thread) {
        change(() -> {
            interrupted.add(thread);
            thread.interrupt();
        });
    }

    /** Runs {@code interlude} once, on the watcher, when it has decided to rest without a timer and does not rest yet. */
    void beforeTheWatcherRests(Runnable interlude) {
        change(() -> beforeParkForever = interlude);
    }

    /** Number of times that the thread was woken by another. */
    int unparks(Thread thread) {
        lock.lock();
        try {
            return unparks.getOrDefault(thread, 0);
        } finally {
            lock.unlock();
        }
    }

    /** With {@link #lock} held: whether the thread waits for something that has not come. */
    boolean rests(Thread thread) {
        Rest rest = resting.get(thread);
        return rest != null && !rest.over.getAsBoolean();
    }

    /** Returns true if the thread rests, and would not be woken by time alone. */
    boolean restsWithoutTimer(Thread thread) {
        lock.lock();
        try {
            return rests(thread) && !resting.get(thread).hasTimer;
        } finally {
            lock.unlock();
        }
    }

    /** Waits in real time, at most for the patience of a test, until {@code condition}, which may be changed by any thread. */
    void await(String what, BooleanSupplier condition) {
        long startNs = System.nanoTime();
        lock.lock();
        try {
            while (!condition.getAsBoolean()) {
                if (System.nanoTime() - startNs > Await.PATIENCE.toNanos()) {
                    throw new AssertionError("waited in vain until " + what + "; resting: " + resting.keySet());
                }
                // Not everything that a condition looks at signals: a thread that ends, for instance.
                changed.awaitNanos(MS);
            }
        } catch (InterruptedException e) {
            throw new AssertionError("interrupted while waiting until " + what, e);
        } finally {
            lock.unlock();
        }
    }
}
