package org.cabrank.lf.dispatch;

import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.cabrank.lf.counting.OffloadCounts;
import org.cabrank.lf.failure.FailureLog;
import org.cabrank.lf.failure.StackRoom;
import org.cabrank.lf.leadership.RegularLeader;

/**
 * The core of one handle set: its slots, posts, timers and ready list, and the steps of a handle from registration to close. Any thread may
 * call any method unless its comment says otherwise.
 */
public final class Dispatcher implements RegularLeader.Listener {
    public static final long NO_DEADLINE = Long.MAX_VALUE;

    /** Maximum number of events that one wait fetches. The next wait fetches the rest. A larger number would delay the first event. */
    public static final int HARVEST_MAX = 256;

    /** Maximum number of rounds of one claim holder before other handles get a turn. */
    public static final int ROUNDS_MAX = 8;

    /** Maximum number of timers that expire between two calls of the kernel. */
    public static final int EXPIRED_MAX = 256;

    /** Maximum number of checks for a post that another thread has begun. Each check takes 50 µs, so the limit is 10 s or more. */
    private static final int POST_LOOKS_MAX = 200_000;

    static final long POST_LOOK_NS = 50_000;

    private static final int AWAKE = 0;
    private static final int ASLEEP = 1;
    private static final int NOTIFIED = 2;

    final BackendCalls<HandleState> backend;

    /** True if each event disarms its handle. The handle is armed again when its handler has returned. */
    final boolean oneshot;

    final FailureLog failures;

    private final SlotTable slots = new SlotTable();
    private final TimerHeap timers = new TimerHeap();
    private final PostedHandles posted = new PostedHandles();

    /** Handles that were posted while a graceful stop waited for offloaded work. See {@link ReadyList#nextContinuation}. */
    private final Queue<HandleState> keptForLast = new ConcurrentLinkedQueue<>();

    private final OffloadCounts offloads = new OffloadCounts();
    private final AtomicInteger notice = new AtomicInteger(AWAKE);

    /** True if a pool serves the set, or is being made for the set. */
    private final AtomicBoolean taken = new AtomicBoolean();

    private volatile ReadyList readyList;

    /** Written when the pool is complete, because handlers and other threads use the pool through this field. */
    private volatile ServingPool pool;

    private boolean alone;

    private boolean timed;

    @SuppressWarnings("unchecked")
    public Dispatcher(BackendCalls<?> backend, boolean oneshot, FailureLog failures) {
        this.backend = (BackendCalls<HandleState>) backend; // the backend has only handles of its own set
        this.oneshot = oneshot;
        this.failures = failures;
    }

    // ---- the pool ----

    /** Reserves the set for a new pool. The caller must call {@link #servedBy} or {@link #release} next. */
    public void take(boolean alone, boolean timed) {
        if (!taken.compareAndSet(false, true)) {
            throw new IllegalStateException(backend + " is already served by " + pool);
        }
        this.alone = alone;
        this.timed = timed;
    }

    public void servedBy(ServingPool complete) {
        pool = complete;
    }

    public void release() {
        readyList = null;
        taken.set(false);
    }

    /** Returns the pool, or null. */
    public ServingPool pool() {
        return pool;
    }

    public void requireServable(int threads, boolean eager) {
        backend.requireServable(threads, eager);
    }

    public boolean prefersOneLeader() {
        return backend.prefersOneLeader();
    }

    @Override
    public void turnBegins(boolean regular) {
        backend.turnBegins(regular);
    }

    @Override
    public void deputyEnds() {
        backend.deputyEnds();
    }

    public void threadBegins() {
        backend.threadBegins();
    }

    public void watcherBegins() {
        backend.watcherBegins();
    }

    public BooleanSupplier newThreadProbe() {
        return backend.newThreadProbe();
    }

    public void lastWatcherLeaves() {
        backend.lastWatcherLeaves();
    }

    ReadyList newReadyList() {
        ReadyList made = new ReadyList(this, backend.newHarvest(), timers, posted);
        readyList = made;
        return made;
    }

    boolean isServedByOneThread() {
        return alone;
    }

    boolean isTimed() {
        return timed;
    }

    // ---- handles ----

    public void admit(HandleState handle) {
        slots.add(handle);
    }

    public void admitInactive(HandleState handle) {
        handle.suspend();
        slots.addJoining(handle);
    }

    public void activate(HandleState handle) {
        slots.joined(handle);
        if (handle.resume(0) == ClaimState.Resumption.POST_DUE) {
            enqueuePosted(handle);
        }
    }

    /** See {@code HandleSet.dismiss}. */
    public void dismiss(HandleState handle) {
        handle.markClosed();
        timers.schedule(handle, NO_DEADLINE);
        slots.remove(handle);
        slots.joined(handle);
    }

    public HandleState lookup(long key) {
        return slots.lookup(key);
    }

    public List<HandleState> handles() {
        return slots.all();
    }

    public int handleCount() {
        return slots.live();
    }

    public static long key(HandleState handle) {
        return handle.key();
    }

    public static boolean isClosed(HandleState handle) {
        return handle.isClosedState();
    }

    public static boolean isHeld(HandleState handle) {
        return handle.isClaimed();
    }

    public static boolean isConcurrent(HandleState handle) {
        return handle.isConcurrentState();
    }

    public boolean isHeldByCaller(HandleState handle) {
        return handle.isHeldBy(Thread.currentThread().getId()) || handle.isConcurrentState() && isCallerInside(handle);
    }

    private boolean isCallerInside(HandleState handle) {
        ProcessingThread caller = pool == null ? null : pool.currentThread();
        return caller != null && caller.inside.isIn(handle);
    }

    /** Returns the handle whose handler the thread runs, or null. If the caller is another thread, the answer may be late. */
    public HandleState heldBy(ProcessingThread thread) {
        HandleState handle = slots.lookup(thread.heldKeyOpaque());
        return handle != null && handle.isHeldBy(thread.threadId) ? handle : null;
    }

    public boolean suspend(HandleState handle) {
        return handle.suspend();
    }

    /** Undoes {@link #suspend} and delivers the kept events. Returns false if the handle was not suspended. */
    public boolean resume(HandleState handle) {
        StackRoom.require(); // an overflow below would lose the post that is due
        ClaimState.Resumption resumption = handle.resume(oneshot ? ReadyBits.REARM : 0);
        if (resumption == ClaimState.Resumption.POST_DUE) {
            enqueuePosted(handle);
        } // else the claim holder continues with the handle, or the handle is re-armed
        return resumption != ClaimState.Resumption.WAS_NOT_SUSPENDED;
    }

    // ---- waits ----

    /** See {@code HandleSet.wakeup}. */
    public void wakeup() {
        if (notice.getAndSet(NOTIFIED) == ASLEEP) {
            boolean interrupted = false;
            try {
                backend.interruptAwait();
                interrupted = true;
            } finally {
                if (!interrupted) {
                    notice.compareAndSet(NOTIFIED, ASLEEP);
                }
            }
        }
    }

    /** Returns false if the leader must not wait in the kernel. Called by the leader, which must call {@link #hasWaited} next. */
    boolean mayWait() {
        return notice.compareAndSet(AWAKE, ASLEEP);
    }

    void hasWaited() {
        notice.set(AWAKE);
    }

    // ---- posts ----

    /** See {@code Handle.post}. */
    public void post(HandleState handle, int ready) {
        if (ready == 0 || (ready & ~ReadyBits.PUBLIC) != 0) { // other bits would be mistaken for bits of the claim
            throw new IllegalArgumentException("bits of Ready are to be posted, not 0x" + Integer.toHexString(ready));
        }
        enqueue(handle, ready);
    }

    private void enqueue(HandleState handle, int ready) {
        if (handle.notePosted(ready)) {
            enqueuePosted(handle);
        }
    }

    void enqueuePosted(HandleState handle) {
        posted.push(handle);
        wakeup();
    }

    /**
     * Returns the posted handles and the handles that must be called last. Also waits for a thread that has marked a handle as posted but
     * not put it on the list yet. Other posts may have been merged into that thread's post. Called when no thread leads any more.
     */
    Collection<HandleState> takeAllPosted() {
        for (HandleState handle : slots.all()) {
            if (handle.isCalledLast()) {
                enqueue(handle, ReadyBits.POSTED);
            }
        }
        Set<HandleState> all = takePosted();
        for (int looks = 0; looks < POST_LOOKS_MAX && isPostUnderWay(all); looks++) {
            LockSupport.parkNanos(POST_LOOK_NS);
            takePosted(all);
        }
        return all;
    }

    Set<HandleState> takePosted() {
        Set<HandleState> all = new LinkedHashSet<>();
        takePosted(all);
        return all;
    }

    /** Keeps a handle for the last thread. The handle was taken from the posted list, but is still marked as posted. */
    void keepForLast(HandleState handle) {
        keptForLast.add(handle);
    }

    private void takePosted(Set<HandleState> all) {
        for (HandleState handle = keptForLast.poll(); handle != null; handle = keptForLast.poll()) {
            all.add(handle);
        }
        posted.takeArrived();
        for (HandleState handle = posted.poll(); handle != null; handle = posted.poll()) {
            all.add(handle);
        }
    }

    private boolean isPostUnderWay(Set<HandleState> taken) {
        if (pool != null && pool.isStoppingNow()) {
            return false;
        }
        for (HandleState handle : slots.all()) {
            if (handle.isPosted() && !taken.contains(handle)) {
                return true;
            }
        }
        return false;
    }

    // ---- timers ----

    /** Calls the handler when the clock has passed {@code deadlineNs}. {@link #NO_DEADLINE} cancels the present deadline. */
    public void schedule(HandleState handle, long deadlineNs) {
        StackRoom.require(); // an overflow halfway through would lose the timers of all handles of the set
        if (handle.isClosedState() && deadlineNs != NO_DEADLINE) {
            return;
        }
        if (timers.schedule(handle, deadlineNs)) {
            wakeup();
        }
        if (deadlineNs != NO_DEADLINE && handle.isClosedState()) { // closed by another thread since the check above
            timers.schedule(handle, NO_DEADLINE);
        }
    }

    // ---- offloaded work ----

    public OffloadCounts offloads() {
        return offloads;
    }

    /** Keeps events back until {@code work} has ended. Returns false if the handle is already detained or closed. Called by the holder. */
    public boolean detain(HandleState handle, OffloadedWork work) {
        if (!handle.detain()) {
            return false;
        }
        handle.offloaded = work;
        offloads.begin();
        return true;
    }

    public void undoDetain(HandleState handle) {
        offloads.refuse();
        if (handle.offloaded != null) { // else the handle was closed meanwhile, which has ended the offload
            handle.offloaded = null;
            handle.endDetention();
            finishOffload();
        }
    }

    public void noteWorkDone(HandleState handle) {
        enqueue(handle, ReadyBits.RESUMED);
    }

    /** Runs the continuation of the offloaded work. Called by the claim holder that got RESUMED. */
    void resumeHandler(HandleState handle) throws Exception {
        OffloadedWork done = handle.offloaded;
        handle.offloaded = null;
        handle.endDetention();
        try {
            done.resume();
        } finally {
            finishOffload(); // not earlier, because the continuation may have offloaded further work
        }
    }

    /** Drops the offloaded work of a closed handle, if there is any. Its continuation will not run. Called by the claim holder. */
    private void abandonOffload(HandleState handle) {
        OffloadedWork underWay = handle.offloaded;
        if (underWay != null) {
            handle.offloaded = null;
            underWay.abandon();
            finishOffload();
        }
    }

    private void finishOffload() {
        if (offloads.finish() && pool != null && pool.isStopping()) {
            wakeup(); // a thread that waits for the end of all offloaded work may leave
        }
    }

    // ---- the end of a handle ----

    public void close(HandleState handle) {
        if (!handle.isConcurrentState() && isHeldByCaller(handle)) {
            closeNow(handle, null);
        } else {
            enqueue(handle, ReadyBits.CLOSE);
        }
    }

    public void closeLater(HandleState handle, Throwable cause) {
        handle.noteFailure(cause);
        enqueue(handle, ReadyBits.CLOSE);
    }

    /** See {@code Handle.closeBecauseOf}. */
    public void closeBecauseOf(HandleState handle, Throwable cause) {
        if (!isHeldByCaller(handle)) {
            throw new IllegalStateException("only the handler of a handle may close it with a cause");
        }
        if (handle.isConcurrentState()) {
            closeLater(handle, cause);
        } else {
            closeNow(handle, cause);
        }
    }

    /** Called by the claim holder, or by the thread that closes a set without a pool. Takes every step, even if an earlier step throws. */
    void closeNow(HandleState handle, Throwable cause) {
        if (!handle.markClosed()) {
            return;
        }
        try {
            abandonOffload(handle);
        } catch (Throwable failure) {
            failures.log("dropping what %s has handed away failed", handle, failure);
        }
        try {
            timers.schedule(handle, NO_DEADLINE);
            slots.remove(handle);
        } catch (Throwable failure) {
            failures.log("taking %s out of its set failed", handle, failure);
        }
        try {
            if (handle.hasDescriptor()) {
                backend.closeDescriptor(handle);
            }
        } catch (Throwable failure) {
            failures.log("closing the descriptor of %s failed", handle, failure);
        }
        try {
            handle.notifyClosed(cause != null ? cause : handle.closeCause());
        } catch (Throwable failure) {
            failures.log("handleClosed of %s failed", handle, failure);
        }
    }

    /** Logs the failure of a handler. Called by the holder, which closes the handle next. */
    void noteHandlerFailure(ProcessingThread me, HandleState handle, Throwable failure) {
        if (failure instanceof InterruptedException) {
            me.interrupted = true; // the interrupt was meant for the thread, not for the handler
        }
        me.noteInterrupt(); // an interrupted logger that writes to a channel would close the channel
        if (failure instanceof VirtualMachineError) {
            pool.wakeLeaders();
        }
        failures.log("the handler of %s failed, the handle is closed", handle, failure);
    }

    /** Closes every handle and refuses new handles. Waits for threads that register handles. Called when no thread leads or processes. */
    public void close() {
        if (pool != null && !pool.isTerminated()) {
            throw new IllegalStateException("stop " + pool + " before its handle set is closed");
        }
        boolean interrupted = false;
        for (HandleState handle : slots.close()) {
            interrupted |= Thread.interrupted(); // the interrupt is not meant for the next handler
            handle.holderId(Thread.currentThread().getId());
            try {
                closeNow(handle, null);
            } finally {
                handle.holderId(0);
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    public long detectedCount() {
        ReadyList list = readyList;
        return list == null ? 0 : list.detectedOpaque();
    }

    public long claimedAndMoreCount() {
        ReadyList list = readyList;
        return list == null ? 0 : list.claimedAndMoreOpaque();
    }

    public long staleEventsCount() {
        ReadyList list = readyList;
        return list == null ? 0 : list.staleEventsOpaque();
    }
}
