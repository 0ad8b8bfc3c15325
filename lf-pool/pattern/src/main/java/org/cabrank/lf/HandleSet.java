package org.cabrank.lf;

import java.io.IOException;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.cabrank.lf.counting.OffloadCounts;
import org.cabrank.lf.failure.FailureLog;
import org.cabrank.lf.failure.FatalErrors;
import org.cabrank.lf.leadership.Deadlines;

/**
 * The handles that one leader at a time watches (POSA2: Handle Set), with their ready list, timers and posted handles.
 *
 * <p>A reactor implements the protected methods and a {@link Harvest}; a {@link LeaderFollowersPool} calls the others.
 * "Watcher" below means: by a thread that waits for this set's events at this time, which is the leader unless every
 * thread of the pool does.
 */
public abstract class HandleSet implements AutoCloseable {
    /** Waits without a bound. */
    public static final long FOREVER = Deadlines.FOREVER;

    /** Named bound: events that one wait harvests. More are fetched by the next; a larger harvest delays the first. */
    public static final int HARVEST_MAX = 256;

    /** Named bound: how often the last thread looks for a post that is under way. At 50 µs each that is at least 10 s. */
    private static final int POST_LOOKS_MAX = 200_000;

    static final long POST_LOOK_NS = 50_000;

    private static final int AWAKE = 0;
    private static final int ASLEEP = 1;
    private static final int NOTIFIED = 2;

    private final Deactivation deactivation;
    private final SlotTable slots = new SlotTable();
    private final TimerHeap timers = new TimerHeap();
    private final PostedHandles posted = new PostedHandles();

    /** Posted while a graceful stop waited for offloaded work: see {@link ReadyList#nextContinuation}. */
    private final Queue<Handle> keptForLast = new ConcurrentLinkedQueue<>();

    private final FailureLog failures = new FailureLog(getClass());
    private final LongAdder queueFull = new LongAdder();
    private final LongAdder kernelRetries = new LongAdder();
    private final OffloadCounts offloads = new OffloadCounts();
    private final AtomicInteger notice = new AtomicInteger(AWAKE);

    private final List<ReadyList> readyLists = new CopyOnWriteArrayList<>();

    /** A pool is made for the set, or serves it. */
    private final AtomicBoolean taken = new AtomicBoolean();

    /** Written when the pool is complete: handlers and other threads read it. */
    private volatile LeaderFollowersPool pool;

    /**
     * A post has been broken off: written by who posted, after {@link Handle#pushOwed}. The watcher makes up for it before it
     * waits, as does a thread whose handler has run out of stack or memory, with the lock of this object.
     */
    volatile boolean postsOwed;

    /** The watcher may be asleep though it counts as notified: a {@link #wakeup} has been broken off. */
    private volatile boolean wakeupOwed;

    /** The pool has one thread. */
    private boolean alone;

    private boolean timed;

    /** Every thread of the pool waits in the set at the same time. Read by whoever posts, perhaps before there is a pool. */
    private volatile boolean watchedByAll;

    protected HandleSet(Deactivation deactivation) {
        this.deactivation = deactivation;
    }

    // ---- what a reactor implements ----

    /**
     * The pool: a way to wait in this set.
     *
     * @param eventsMax maximum number of events of one wait
     */
    protected abstract Harvest newHarvest(int eventsMax);

    /** Any thread: ends a {@link Harvest#await} of this set, the present one or, if nobody is waiting, the next. */
    protected abstract void interruptAwait();

    /** Claim holder, with {@link Deactivation#ONESHOT}: arms the handle again. */
    protected abstract void rearm(Handle handle) throws IOException;

    /** Claim holder: gives the descriptor back. The handle has left the set already. */
    protected abstract void closeDescriptor(Handle handle);

    /**
     * Before a pool serves the set.
     *
     * @throws IllegalArgumentException when such a pool cannot serve it, with what would do instead
     */
    protected void requireServable(PoolConfig config) {}

    /**
     * A thread that has processed an event of this set, and does not wait in it next, or that has deposed the leader: what
     * handlers have asked of the kernel and the reactor has gathered for the next wait is to go to the kernel now. A reactor
     * that gathers nothing does nothing.
     */
    protected void submitRequests() {}

    /**
     * The last thread of the pool, before it leaves for good and nobody waits any more: ends the requests under way that only
     * this thread can end. Handles are closed afterwards, by {@link #close}.
     */
    protected void lastWatcherLeaves() {}

    /**
     * Asked once, when the pool is made. True: requests that a leader makes stay with its thread, so that events cost more while
     * another thread leads. Under deferred promotion leadership then goes back to a deposed leader when its handler has returned, and
     * the {@linkplain PromotionOrder promotion order} chooses only the deputies. The default is false.
     */
    protected boolean prefersOneLeader() {
        return false;
    }

    /**
     * Leader of a set that {@linkplain #prefersOneLeader prefers one leader}, under deferred promotion: its turn begins, or a deputy has
     * replaced a regular leader that was away for long.
     *
     * @param regular true: the caller leads from now on whenever it can; false: until the regular leader is back
     */
    protected void turnBegins(boolean regular) {}

    /**
     * Returns a probe of the calling thread, which answers true while the thread is blocked: neither running nor runnable. A standby
     * does not replace a leader that is running or runnable. Called once by each thread of a pool; the probe may be called by any
     * thread. The default knows nothing of threads, and takes each for blocked.
     */
    protected BooleanSupplier newThreadProbe() {
        return () -> true;
    }

    /** The clock of timers and deadlines, in ns. */
    public long nanoTime() {
        return System.nanoTime();
    }

    // ---- for reactors ----

    /** Any thread: gives the handle its key, before the kernel learns of it. */
    protected final void admit(Handle handle) {
        slots.add(handle);
    }

    /**
     * Any thread: as {@link #admit}, but nothing is dispatched before {@link #activate}. What is posted or becomes ready
     * meanwhile is kept for then, so no handler can run, and none can close the descriptor, while the kernel learns of it.
     */
    protected final void admitInactive(Handle handle) {
        handle.suspend();
        slots.add(handle);
    }

    /** Any thread: the kernel knows the handle now. */
    protected final void activate(Handle handle) {
        if (handle.resume(0) == ClaimState.Resumption.POST_DUE) {
            enqueuePosted(handle);
        }
    }

    /**
     * Undoes {@link #admit}, without a word to the handler: for a handle that the kernel refused and that was never dispatched; or
     * by its claim holder, for a handle whose descriptor and handler move to another handle.
     */
    protected final void dismiss(Handle handle) {
        handle.markClosed();
        timers.schedule(handle, Handle.NO_DEADLINE);
        slots.remove(handle);
    }

    /**
     * Any thread: a handle without a descriptor, whose handler is called for what is posted and for its timer.
     *
     * @param name for messages
     * @throws IllegalStateException when the set is closed
     */
    public final VirtualHandle registerVirtual(String name, EventHandler handler) {
        VirtualHandle handle = new VirtualHandle(
                this, Objects.requireNonNull(name, "name"), Objects.requireNonNull(handler, "handler"));
        admit(handle);
        return handle;
    }

    public final Deactivation deactivation() {
        return deactivation;
    }

    /** Any thread: the handle of this key, or null when it has left. */
    protected final Handle lookup(long key) {
        return slots.lookup(key);
    }

    /** Any thread: a copy of the handles registered now. */
    public final List<Handle> handles() {
        return slots.all();
    }

    /**
     * Any thread: returns the handle with this key if a thread with this id runs its handler, as far as visible from outside;
     * else
     * null.
     */
    final Handle heldBy(long key, long threadId) {
        Handle handle = slots.lookup(key);
        return handle != null && handle.isHeldBy(threadId) ? handle : null;
    }

    /** Any thread: how many handles are registered. */
    public final int handleCount() {
        return slots.live();
    }

    /** Logs a failure once per kind. */
    public final FailureLog failures() {
        return failures;
    }

    /** Any thread: counts that a bounded queue that this set serves has refused something, for {@link #queueFullCount}. */
    public final void noteQueueFull() {
        queueFull.increment();
    }

    /** Any thread: how often a bounded queue (tasks, what connections have written) has refused something. */
    public final long queueFullCount() {
        return queueFull.sum();
    }

    /** Any thread: counts that the kernel has refused a wait or a submission for now, for {@link #kernelRetryCount}. */
    public final void noteKernelRetry() {
        kernelRetries.increment();
    }

    /** Any thread: number of waits and submissions that the kernel has refused for now, and that were tried again. */
    public final long kernelRetryCount() {
        return kernelRetries.sum();
    }

    /** Any thread: how many events the kernel has reported; a little late for what other threads do at this moment. */
    public final long detectedCount() {
        long detected = 0;
        for (ReadyList list : readyLists) {
            detected += list.detectedOpaque();
        }
        return detected;
    }

    /**
     * Any thread: ends the leader's wait, so that it looks at what has changed. Calls that come together cost one. A call that
     * throws, for want of stack or memory or because the kernel refuses, has not ended the wait; the next call does.
     */
    public final void wakeup() {
        if (watchedByAll) {
            interruptAwait();
        } else if (notice.getAndSet(NOTIFIED) == ASLEEP || wakeupOwed) {
            boolean interrupted = false;
            try {
                wakeupOwed = false;
                interruptAwait();
                interrupted = true;
            } finally {
                if (!interrupted) { // not by a call, for which there may be no stack
                    wakeupOwed = true;
                }
            }
        }
    }

    /** The pool that serves this set; null before there is one. */
    public final LeaderFollowersPool pool() {
        return pool;
    }

    /**
     * Called between two callbacks of the service by the thread that calls them: clears the interrupt status that the first has left,
     * because the status is not for the second. A thread of the pool has the status back when it leaves the pool. Without effect for a
     * thread that is no member of the pool.
     */
    public final void setInterruptAside() {
        if (Thread.currentThread().isInterrupted()) {
            LeaderFollowersPool serving = pool;
            Member me = serving == null ? null : serving.currentMember();
            if (me != null) {
                me.noteInterrupt();
            }
        }
    }

    // ---- for the pool ----

    /**
     * A pool with this configuration is made: no other may be. {@link #servedBy} or {@link #release} follows.
     *
     * @throws IllegalStateException when another pool is made for the set, or serves it
     */
    final void take(PoolConfig config) {
        if (!taken.compareAndSet(false, true)) {
            throw new IllegalStateException(this + " is already served by " + pool);
        }
        alone = config.threads() == 1;
        timed = config.latencyMeasured();
        watchedByAll = !alone && config.promotion() instanceof Promotion.Kernel;
    }

    /** The pool is complete. */
    final void servedBy(LeaderFollowersPool complete) {
        pool = complete;
    }

    /** The pool that the set was taken for could not be made: the set may be closed, or taken for another pool. */
    final void release() {
        readyLists.clear();
        watchedByAll = false;
        timed = false;
        alone = false;
        taken.set(false);
    }

    /** The pool: what its next watcher takes from. */
    final ReadyList newReadyList() {
        ReadyList list = new ReadyList(this, newHarvest(watchedByAll ? 1 : HARVEST_MAX), slots, timers, posted);
        readyLists.add(list);
        return list;
    }

    final boolean isServedByOneThread() {
        return alone;
    }

    final boolean isTimed() {
        return timed;
    }

    final boolean isWatchedByAll() {
        return watchedByAll;
    }

    /** Watcher: it may wait in the kernel; false: somebody wants it to look at once. {@link #hasWaited} follows. */
    final boolean mayWait() {
        return watchedByAll || notice.compareAndSet(AWAKE, ASLEEP);
    }

    /** Watcher: its wait is over. */
    final void hasWaited() {
        if (!watchedByAll) {
            notice.set(AWAKE);
        }
    }

    /** Returns true if the calling thread runs the handler of this concurrent handle. */
    final boolean isCallerInside(Handle handle) {
        Member caller = pool == null ? null : pool.currentMember();
        return caller != null && caller.inside.isIn(handle);
    }

    /** Counts of the offloaded work of all handlers. Any thread. */
    final OffloadCounts offloads() {
        return offloads;
    }

    /** Claim holder: nothing more is to be done for work that a handler has handed away. */
    final void settleOffload() {
        if (offloads.settle() && pool != null && pool.isStopping()) {
            wakeup(); // a thread that waits for the last of the work may leave
        }
    }

    /**
     * Returns every handle that was posted or that must be called last. Called when no thread watches any more. A poster marks
     * the handle and
     * then puts it on the list; a thread that stands still between the two is waited for, because others, whose posts were
     * merged into its own, count on it.
     */
    final Collection<Handle> takeAllPosted() {
        makeUpForPosts();
        for (Handle handle : slots.all()) {
            if (handle.isCalledLast()) {
                handle.post(Ready.POSTED);
            }
        }
        Set<Handle> all = takePosted();
        for (int looks = 0; looks < POST_LOOKS_MAX && isPostUnderWay(all); looks++) {
            LockSupport.parkNanos(POST_LOOK_NS);
            takePosted(all);
        }
        return all;
    }

    /** Called when nobody watches any more: every handle that stands in the posted list or was kept for the last thread. */
    final Set<Handle> takePosted() {
        Set<Handle> all = new LinkedHashSet<>();
        takePosted(all);
        return all;
    }

    /** Leader: the handle has left the posted list and is still marked as posted. The last thread that leaves processes it. */
    final void keepForLast(Handle handle) {
        keptForLast.add(handle);
    }

    private void takePosted(Set<Handle> all) {
        for (Handle handle = keptForLast.poll(); handle != null; handle = keptForLast.poll()) {
            all.add(handle);
        }
        for (Handle handle = posted.pollShared(); handle != null; handle = posted.pollShared()) {
            all.add(handle);
        }
    }

    private boolean isPostUnderWay(Set<Handle> taken) {
        if (pool != null && pool.isStoppingNow()) {
            return false;
        }
        for (Handle handle : slots.all()) {
            if (handle.isPosted() && !taken.contains(handle)) {
                return true;
            }
        }
        return false;
    }

    final void enqueuePosted(Handle handle) {
        posted.push(handle);
        wakeup();
    }

    /** True: the handle is on the list of posted handles; {@link #wakeup} follows. */
    final boolean push(Handle handle) {
        posted.push(handle);
        return true;
    }

    /**
     * Makes up for posts and wake-ups that were broken off for want of stack, if there are any: puts the handles on the list and
     * wakes the watcher.
     */
    final void makeUpForPosts() {
        if (postsOwed) {
            pushOwed();
        } else if (wakeupOwed) {
            wakeup();
        }
    }

    private void pushOrOwe(Handle handle) {
        boolean pushed = false;
        try {
            pushed = push(handle);
        } finally {
            if (!pushed) {
                handle.pushOwed = true;
            }
        }
    }

    private synchronized void pushOwed() {
        postsOwed = false;
        boolean done = false;
        try {
            for (Handle handle : slots.all()) {
                if (handle.pushOwed) {
                    handle.pushOwed = false; // first: once on the list, the handle may be taken and posted again
                    pushOrOwe(handle);
                }
            }
            wakeup();
            done = true;
        } finally {
            if (!done) {
                postsOwed = true;
            }
        }
    }

    final void schedule(Handle handle, long deadlineNs) {
        if (handle.isClosedState() && deadlineNs != Handle.NO_DEADLINE) {
            return;
        }
        if (timers.schedule(handle, deadlineNs)) {
            wakeup();
        }
        if (deadlineNs != Handle.NO_DEADLINE && handle.isClosedState()) { // by another thread, since it was looked at
            timers.schedule(handle, Handle.NO_DEADLINE);
        }
    }

    /**
     * Claim holder, or the thread that closes a set that no pool serves any more. Every step is taken, whatever the steps before
     * have thrown; an error that ends the thread is thrown at the end.
     */
    final void closeNow(Handle handle, Throwable cause) {
        if (!handle.markClosed()) {
            return;
        }
        Throwable fatal = null;
        try {
            handle.abandonOffload();
        } catch (Throwable failure) {
            fatal = noteCloseFailure("dropping what %s has handed away failed", handle, failure, fatal);
        }
        try {
            timers.schedule(handle, Handle.NO_DEADLINE);
            slots.remove(handle);
        } catch (Throwable failure) {
            fatal = noteCloseFailure("taking %s out of its set failed", handle, failure, fatal);
        }
        try {
            if (handle.hasDescriptor()) {
                closeDescriptor(handle);
            }
        } catch (Throwable failure) {
            fatal = noteCloseFailure("closing the descriptor of %s failed", handle, failure, fatal);
        }
        try {
            handle.handler().handleClosed(handle, cause != null ? cause : handle.closeCause());
        } catch (Throwable failure) {
            fatal = noteCloseFailure("handleClosed of %s failed", handle, failure, fatal);
        }
        if (fatal != null) {
            throw (VirtualMachineError) fatal;
        }
    }

    /** Returns the first failure that ends the thread; logs the others. */
    private Throwable noteCloseFailure(String format, Handle handle, Throwable failure, Throwable fatal) {
        if (fatal == null && FatalErrors.endsThread(failure)) {
            return failure;
        }
        failures.log(format, handle, failure);
        return fatal;
    }

    /** Any thread: the ready lists of its watchers, for their counters. */
    final List<ReadyList> readyLists() {
        return readyLists;
    }

    /**
     * Closes every handle and then the set itself, which takes none from now on. Only when no thread leads or processes any
     * more.
     */
    @Override
    public void close() {
        if (pool != null && !pool.isTerminated()) {
            throw new IllegalStateException("stop " + pool + " before its handle set is closed");
        }
        VirtualMachineError fatal = null;
        boolean interrupted = false;
        for (Handle handle : slots.close()) {
            interrupted |= Thread.interrupted(); // the caller's, or left by a handler: not for the next handler
            handle.holderId(Thread.currentThread().getId());
            try {
                closeNow(handle, null);
            } catch (VirtualMachineError thrown) { // the other handles have descriptors as well
                fatal = thrown;
            } finally {
                handle.holderId(0);
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        if (fatal != null) {
            throw fatal;
        }
    }
}
