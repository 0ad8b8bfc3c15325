package org.cabrank.lf;

import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The handles that one leader at a time watches (POSA2: Handle Set), with their ready list, timers and posted handles.
 *
 * <p>A reactor implements the protected methods; a {@link LeaderFollowersPool} calls the others. "Leader" below means: by
 * the thread that leads the pool of this set. Leadership orders the memory accesses of successive leaders, so what only
 * leaders touch needs no lock.
 */
public abstract class HandleSet implements AutoCloseable {
    /** Waits without a bound. */
    public static final long FOREVER = Long.MAX_VALUE;

    private static final int AWAKE = 0;
    private static final int ASLEEP = 1;
    private static final int NOTIFIED = 2;

    private final Deactivation deactivation;
    private final SlotTable slots = new SlotTable();
    private final TimerHeap timers = new TimerHeap();
    private final PostedHandles posted = new PostedHandles();
    private final FailureLog failures = new FailureLog(getClass());
    private final AtomicInteger notice = new AtomicInteger(AWAKE);

    private final Counter staleEvents = new Counter();
    private final Counter claimedAndMore = new Counter();
    private final Counter detected = new Counter();

    private LeaderFollowersPool pool;

    /** The pool has one thread. */
    private boolean alone;

    private int claimedReady;

    /**
     * Leader: what was posted has been taken since the kernel was asked last. What is posted meanwhile waits until it has
     * been asked again: a handle that posts to itself on and on must not keep the others' events from being seen.
     */
    private boolean postedTaken;

    protected HandleSet(Deactivation deactivation) {
        this.deactivation = deactivation;
    }

    // ---- what a reactor implements ----

    /**
     * Leader: waits for events and replaces the (exhausted) harvest by them. An interrupted wait is an empty harvest.
     *
     * @param timeoutNs 0: does not wait; {@link #FOREVER}
     * @return the number of events harvested
     * @throws IOException when the set cannot be watched any more; the pool fails
     */
    protected abstract int await(long timeoutNs) throws IOException;

    /** Leader: moves to the next event of the harvest; false: it is exhausted. */
    protected abstract boolean nextHarvested();

    /** Leader: the {@link Handle#key} of the present event of the harvest. */
    protected abstract long harvestedKey();

    /** Leader: the {@link Ready} bits of the present event of the harvest. */
    protected abstract int harvestedReady();

    /** Any thread: ends the leader's {@link #await}, the present one or, if it is not waiting, the next. */
    protected abstract void interruptAwait();

    /** Claim holder, with {@link Deactivation#ONESHOT}: arms the handle again. */
    protected abstract void rearm(Handle handle) throws IOException;

    /** Claim holder: gives the descriptor back. The handle has left the set already. */
    protected abstract void closeDescriptor(Handle handle);

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

    /** Undoes {@link #admit} for a handle that the kernel refused and that was never dispatched. */
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

    /** Any thread: a copy of the handles registered now. */
    public final List<Handle> handles() {
        return slots.all();
    }

    /** Any thread: how many handles are registered. */
    public final int handleCount() {
        return slots.live();
    }

    /** Logs a failure once per kind. */
    public final FailureLog failures() {
        return failures;
    }

    /** Any thread: ends the leader's wait, so that it looks at what has changed. Calls that come together cost one. */
    public final void wakeup() {
        if (notice.getAndSet(NOTIFIED) == ASLEEP) {
            interruptAwait();
        }
    }

    /** The pool that serves this set; null before there is one. */
    public final LeaderFollowersPool pool() {
        return pool;
    }

    final void pool(LeaderFollowersPool servedBy) {
        if (pool != null) {
            throw new IllegalStateException("this handle set is already served by " + pool);
        }
        pool = servedBy;
        alone = servedBy.config().threads() == 1;
    }

    // ---- for the pool ----

    /** Leader: waits for events, at most until the next timer. */
    final void detect(long timeoutNs) throws IOException {
        long waitNs = timeoutNs;
        long timerNs = timers.earliestNs();
        if (timerNs != Handle.NO_DEADLINE) {
            waitNs = Math.min(waitNs, Math.max(0, timerNs - nanoTime()));
        }
        if (waitNs > 0 && (!posted.isEmpty() || !notice.compareAndSet(AWAKE, ASLEEP))) {
            waitNs = 0; // somebody has posted since the last wait: look at once
        }
        postedTaken = false;
        try {
            int events = await(waitNs);
            if (events > 0) {
                detected.add(events);
            }
        } finally {
            notice.set(AWAKE);
        }
        if (timers.earliestNs() != Handle.NO_DEADLINE) {
            expireTimers();
        }
    }

    /** Leader: looks once; true: something is ready. For spinning. */
    final boolean detectWithoutWaiting() throws IOException {
        postedTaken = false;
        int events = await(0);
        if (events > 0) {
            detected.add(events);
        }
        if (timers.earliestNs() != Handle.NO_DEADLINE) {
            expireTimers();
        }
        return events > 0 || !posted.isEmpty();
    }

    private void expireTimers() {
        long nowNs = nanoTime();
        for (Handle expired = timers.takeExpired(nowNs); expired != null; expired = timers.takeExpired(nowNs)) {
            if (expired.notePosted(Ready.TIMER)) {
                posted.push(expired);
            }
        }
    }

    /** Leader: claims the next handle on the ready list, whose bits are then in {@link #claimedReady}; null: none. */
    final Handle nextClaimed() {
        while (nextHarvested()) {
            long key = harvestedKey();
            Handle handle = slots.lookup(key);
            if (handle == null) {
                staleEvents.add(1);
                continue;
            }
            int ready = alone ? handle.claimAlone(harvestedReady()) : handle.claim(harvestedReady());
            if (ready != 0) {
                claimedReady = ready;
                return handle;
            }
            (handle.isClosedState() ? staleEvents : claimedAndMore).add(1);
        }
        if (!postedTaken) {
            posted.takeArrived();
            postedTaken = true;
        }
        for (Handle handle = posted.poll(); handle != null; handle = posted.poll()) {
            int ready = handle.claimPosted();
            if (ready != 0) {
                claimedReady = ready;
                return handle;
            }
        }
        return null;
    }

    /** Leader: {@link #nextClaimed} may take once more what was posted, though nothing is detected in between. */
    final void takePostedAgain() {
        postedTaken = false;
    }

    /** Leader: what the handle that was claimed last is to be processed for. */
    final int claimedReady() {
        return claimedReady;
    }

    final void enqueuePosted(Handle handle) {
        posted.push(handle);
        wakeup();
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

    /** Claim holder, or the thread that closes a set that no pool serves any more. */
    final void closeNow(Handle handle, Throwable cause) {
        if (!handle.markClosed()) {
            return;
        }
        timers.schedule(handle, Handle.NO_DEADLINE);
        slots.remove(handle);
        try {
            if (handle.hasDescriptor()) {
                closeDescriptor(handle);
            }
        } catch (VirtualMachineError fatal) {
            throw fatal;
        } catch (Throwable failure) {
            failures.log("closing the descriptor of " + handle + " failed", failure);
        }
        try {
            handle.handler().handleClosed(handle, cause);
        } catch (VirtualMachineError fatal) {
            throw fatal;
        } catch (Throwable failure) {
            failures.log("handleClosed of " + handle + " failed", failure);
        }
    }

    final Counter staleEvents() {
        return staleEvents;
    }

    final Counter claimedAndMore() {
        return claimedAndMore;
    }

    final Counter detected() {
        return detected;
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
        for (Handle handle : slots.close()) {
            handle.holderId(Thread.currentThread().getId());
            closeNow(handle, null);
            handle.holderId(0);
        }
    }
}
