package org.cabrank.lf;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.cabrank.lf.handle.Deactivation;
import org.cabrank.lf.handle.Handle;
import org.cabrank.lf.handle.HandleSet;
import org.cabrank.lf.handle.Harvest;
import org.cabrank.lf.handle.Ready;

/**
 * A handle set with the kernel's semantics, in memory and for real threads: an item makes its handle ready, several merge
 * into one edge, a one-shot handle is reported once until it is armed again and looked at then.
 */
final class MemoryHandleSet extends HandleSet {
    /** Few, so that ready lists are passed on half done. */
    private static final int EVENTS_MAX = 8;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Deque<MemoryHandle> ready = new ArrayDeque<>();
    private final AtomicInteger submits = new AtomicInteger();
    private boolean interrupted;

    /** A watcher sleeps; guarded by the lock, as the counts are. */
    private boolean waiting;

    private int interruptsInAWait;

    /** Run once each, by the watcher: before it looks at what was posted, and between that look and its wait. */
    private final AtomicReference<Runnable> beforeTheLook = new AtomicReference<>();

    private final AtomicReference<Runnable> beforeTheWait = new AtomicReference<>();

    /** Actions reserved to leaders that two threads did at a time. */
    private final Queue<String> violations;

    private final boolean prefersOneLeader;

    MemoryHandleSet(Deactivation deactivation) {
        this(deactivation, new ConcurrentLinkedQueue<>());
    }

    MemoryHandleSet(Deactivation deactivation, Queue<String> violations) {
        this(deactivation, violations, false);
    }

    MemoryHandleSet(Deactivation deactivation, Queue<String> violations, boolean prefersOneLeader) {
        super(deactivation);
        this.violations = violations;
        this.prefersOneLeader = prefersOneLeader;
    }

    @Override
    protected boolean prefersOneLeader() {
        return prefersOneLeader;
    }

    private static void runOnce(AtomicReference<Runnable> step) {
        Runnable set = step.get() == null ? null : step.getAndSet(null);
        if (set != null) {
            set.run();
        }
    }

    /** The next watcher that is about to look at what was posted runs {@code step}; only while a timer is scheduled. */
    void beforeTheLook(Runnable step) {
        beforeTheLook.set(step);
    }

    /** The next watcher that has found nothing posted, and is about to wait, runs {@code step}. */
    void beforeTheWait(Runnable step) {
        beforeTheWait.set(step);
    }

    @Override
    public long nanoTime() {
        if (beforeTheLook.get() != null && LeaderFollowersPool.of(this).currentMember() != null) {
            runOnce(beforeTheLook);
        }
        return super.nanoTime();
    }

    void register(Handle handle) {
        admit(handle);
    }

    /** Another item for the handle; false: it is closed, or has enough to do. */
    boolean produce(MemoryHandle handle, int inboxMax) {
        lock.lock();
        try {
            if (handle.gone || handle.inbox.size() >= inboxMax) {
                return false;
            }
            handle.inbox.add(handle.produced++);
            becomesReady(handle);
            return true;
        } finally {
            lock.unlock();
        }
    }

    private void becomesReady(MemoryHandle handle) {
        if (handle.armed && !ready.contains(handle)) {
            ready.add(handle);
            changed.signal();
        }
    }

    /** The next item, or null: reading would block. */
    Long read(MemoryHandle handle) {
        lock.lock();
        try {
            return handle.inbox.poll();
        } finally {
            lock.unlock();
        }
    }

    long produced(MemoryHandle handle) {
        lock.lock();
        try {
            return handle.produced;
        } finally {
            lock.unlock();
        }
    }

    boolean isGone(MemoryHandle handle) {
        lock.lock();
        try {
            return handle.gone;
        } finally {
            lock.unlock();
        }
    }

    @Override
    protected Harvest newHarvest() {
        return new MemoryHarvest();
    }

    /** Nobody but the leader may touch it: who is found in it beside another thread leads beside another thread. */
    private final class MemoryHarvest extends Harvest {
        private final List<MemoryHandle> harvest = new ArrayList<>();
        private final AtomicReference<Thread> leader = new AtomicReference<>();
        private int position;

        private void enter() {
            Thread me = Thread.currentThread();
            if (!leader.compareAndSet(null, me)) {
                violations.add(me.getName() + " leads beside " + leader.get());
            }
        }

        @Override
        protected int await(long timeoutNs) {
            enter();
            if (timeoutNs > 0) {
                runOnce(beforeTheWait);
            }
            harvest.clear();
            position = -1;
            lock.lock();
            try {
                long restNs = timeoutNs;
                while (ready.isEmpty() && !interrupted && restNs > 0) {
                    waiting = true;
                    restNs = changed.awaitNanos(restNs);
                    waiting = false;
                }
                interrupted = false;
                while (!ready.isEmpty() && harvest.size() < EVENTS_MAX) {
                    MemoryHandle handle = ready.remove();
                    handle.armed = deactivation() == Deactivation.CLAIM || handle.isConcurrent();
                    harvest.add(handle);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt(); // an empty harvest
            } finally {
                lock.unlock();
            }
            leader.set(null);
            return harvest.size();
        }

        @Override
        protected Handle next() {
            enter();
            Handle next = ++position < harvest.size() ? harvest.get(position) : null;
            leader.set(null);
            return next;
        }

        @Override
        protected int ready() {
            return Ready.READ;
        }
    }

    @Override
    protected void interruptAwait() {
        lock.lock();
        try {
            interruptsInAWait += waiting ? 1 : 0;
            interrupted = true;
            changed.signal();
        } finally {
            lock.unlock();
        }
    }

    @Override
    protected void submitRequests() {
        submits.incrementAndGet();
    }

    /** Number of times that threads have submitted the requests of their handlers. */
    int submits() {
        return submits.get();
    }

    /** Number of interrupts that have met a watcher that slept. */
    int interruptsInAWait() {
        lock.lock();
        try {
            return interruptsInAWait;
        } finally {
            lock.unlock();
        }
    }

    @Override
    protected void rearm(Handle handle) {
        MemoryHandle own = (MemoryHandle) handle;
        lock.lock();
        try {
            own.armed = true;
            if (!own.inbox.isEmpty()) {
                becomesReady(own);
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    protected void closeDescriptor(Handle handle) {
        MemoryHandle own = (MemoryHandle) handle;
        lock.lock();
        try {
            if (own.gone) {
                own.ledger.violation("closed twice");
            }
            own.gone = true;
            own.armed = false;
            ready.remove(own); // harvested events stay, and are stale
        } finally {
            lock.unlock();
        }
    }
}
