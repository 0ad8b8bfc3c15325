package org.cabrank.lf.dispatch;

import org.cabrank.lf.counting.LatencyCounts;

/**
 * A handle as dispatch sees it: its claim, its places in slot table, posted list and timer heap, and its offloaded work. The base of
 * {@code org.cabrank.lf.handle.Handle}, so that a handle is one object.
 */
public abstract class HandleState extends ClaimState {
    private long key;

    /** Id of the thread in the handler, or 0. Racy: a thread looks for its own. A reference would cost a garbage collector's barrier. */
    private long holderId;

    /** Deadline and place in the timer heap; guarded by its lock. */
    long deadlineNs = Dispatcher.NO_DEADLINE;

    int timerIndex = -1;

    /** True if the handler offloaded work before the re-arm. Used by the claim holder. */
    private boolean rearmPending;

    /** See {@link SlotTable#addJoining}. Guarded by the table. */
    boolean isJoining;

    HandleState nextPosted;

    /** Null: no offload is under way. Used by the claim holder. */
    OffloadedWork offloaded;

    /** The first failure noted by a thread without the claim, because of which the handle will be closed; or null. */
    private volatile Throwable closeCause;

    protected HandleState(boolean concurrent, int alsoWhenDetained) {
        super(concurrent, alsoWhenDetained);
    }

    protected abstract void callHandler(int ready) throws Exception;

    /** Notifies the handler of the close; a null cause: the close was requested. */
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

    /** The cause for a closing thread that knows none; null: the close was requested. */
    final Throwable closeCause() {
        return closeCause;
    }

    /** Claim holder: keeps the event's detection time for the continuation. Returns false if no offload is under way. */
    final boolean carryDetected(long detectedNs) {
        OffloadedWork work = offloaded;
        if (work == null) {
            return false;
        }
        if (work.detectedNs == LatencyCounts.UNKNOWN) { // otherwise the continuation has the time of its event already
            work.detectedNs = detectedNs;
        }
        return true;
    }

    /** Claim holder: has the handle re-armed after the offload continuation. */
    final void oweRearm() {
        rearmPending = true;
    }

    final boolean takeRearmPending() {
        boolean owed = rearmPending;
        rearmPending = false;
        return owed;
    }
}
