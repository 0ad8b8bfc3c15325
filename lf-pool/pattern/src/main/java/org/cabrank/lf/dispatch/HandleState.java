package org.cabrank.lf.dispatch;

import org.cabrank.lf.counting.LatencyCounts;

/**
 * A handle as dispatch sees it: its claim, its places in slot table, posted list and timer heap, and its offloaded work. This is the
 * superclass of {@code org.cabrank.lf.handle.Handle}, so a handle is one object.
 */
public abstract class HandleState extends ClaimState {
    private long key;

    /** Id of the thread in the handler, or 0. Other threads may read an old value. A reference would cost a GC barrier. */
    private long holderId;

    /** Deadline, and place in the timer heap. Both are guarded by the lock of the heap. */
    long deadlineNs = Dispatcher.NO_DEADLINE;

    int timerIndex = -1;

    /** True if the handle must be re-armed after the continuation of its offloaded work. Used by the claim holder. */
    private boolean rearmPending;

    /** See {@link SlotTable#addJoining}. Guarded by the table. */
    boolean isJoining;

    HandleState nextPosted;

    /** Null if no offload is under way. Used by the claim holder. */
    OffloadedWork offloaded;

    /** The first failure noted by a thread without the claim, and the cause of the coming close. Null if there is none. */
    private volatile Throwable closeCause;

    protected HandleState(boolean concurrent, int alsoWhenDetained) {
        super(concurrent, alsoWhenDetained);
    }

    protected abstract void callHandler(int ready) throws Exception;

    /** Notifies the handler of the close. A null cause means that the close was requested. */
    protected abstract void notifyClosed(Throwable cause);

    protected abstract void notifyNestedWait();

    /** Any thread: true if a graceful stop calls the handler once more. */
    protected abstract boolean isCalledLast();

    protected abstract boolean hasDescriptor();

    protected abstract Class<?> handlerClass();

    final long key() {
        return key;
    }

    final void key(long key) {
        this.key = key;
    }

    /** Returns true if the thread of this id runs the handler; racy for other threads. */
    final boolean isHeldBy(long threadId) {
        return holderId == threadId;
    }

    final void holderId(long threadId) {
        holderId = threadId;
    }

    /** Any thread: keeps the first cause for the thread that will close the handle. */
    final void noteFailure(Throwable cause) {
        synchronized (this) {
            if (closeCause == null) {
                closeCause = cause;
            }
        }
    }

    /** The cause of a close whose closing thread knows no cause. Null means that the close was requested. */
    final Throwable closeCause() {
        return closeCause;
    }

    /** Called by the claim holder: keeps the event's detection time for the continuation. Returns false if no offload is under way. */
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

    /** Called by the claim holder: has the handle re-armed after the continuation of its offloaded work. */
    final void oweRearm() {
        rearmPending = true;
    }

    final boolean takeRearmPending() {
        boolean owed = rearmPending;
        rearmPending = false;
        return owed;
    }
}
