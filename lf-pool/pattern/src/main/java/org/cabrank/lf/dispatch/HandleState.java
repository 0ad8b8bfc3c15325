package org.cabrank.lf.dispatch;

import org.cabrank.lf.counting.LatencyCounts;

/**
 * The part of a handle that dispatch uses: its claim, its offloaded work, and its places in the slot table, the posted list and the timer
 * heap. It is the superclass of {@code org.cabrank.lf.handle.Handle}, so that a handle is only one object.
 */
public abstract class HandleState extends ClaimState {
    private long key;

    /** Id of the thread that runs the handler, or 0. It is an id, because storing a reference would cost a GC barrier. */
    private long holderId;

    /** Guarded by the lock of the timer heap, like {@code timerIndex}. */
    long deadlineNs = Dispatcher.NO_DEADLINE;

    int timerIndex = -1;

    /** True if the handle must be re-armed after the continuation of its offloaded work. Used by the claim holder. */
    private boolean rearmPending;

    /** True between {@link SlotTable#addJoining} and {@link SlotTable#joined}. Guarded by the table. */
    boolean isJoining;

    HandleState nextPosted;

    /** Null if no offload is under way. Used by the claim holder. */
    OffloadedWork offloaded;

    private volatile Throwable closeCause;

    protected HandleState(boolean concurrent, int alsoWhenDetained) {
        super(concurrent, alsoWhenDetained);
    }

    protected abstract void callHandler(int ready) throws Exception;

    /** Notifies the handler of the close. A null cause means that the close was requested. */
    protected abstract void notifyClosed(Throwable cause);

    protected abstract void notifyNestedWait();

    protected abstract boolean isCalledLast();

    protected abstract boolean hasDescriptor();

    protected abstract Class<?> handlerClass();

    final long key() {
        return key;
    }

    final void key(long key) {
        this.key = key;
    }

    /** Returns true if the thread with this id runs the handler. If another thread asks, the answer may be late. */
    final boolean isHeldBy(long threadId) {
        return holderId == threadId;
    }

    final void holderId(long threadId) {
        holderId = threadId;
    }

    final void noteFailure(Throwable cause) {
        synchronized (this) {
            if (closeCause == null) {
                closeCause = cause;
            }
        }
    }

    final Throwable closeCause() {
        return closeCause;
    }

    /** Keeps the detection time of the event until the continuation has run. Returns false if no offload is under way. */
    final boolean carryDetected(long detectedNs) {
        OffloadedWork work = offloaded;
        if (work == null) {
            return false;
        }
        if (work.detectedNs == LatencyCounts.UNKNOWN) { // a nested continuation keeps the detection time of the event
            work.detectedNs = detectedNs;
        }
        return true;
    }

    final void oweRearm() {
        rearmPending = true;
    }

    final boolean takeRearmPending() {
        boolean owed = rearmPending;
        rearmPending = false;
        return owed;
    }
}
