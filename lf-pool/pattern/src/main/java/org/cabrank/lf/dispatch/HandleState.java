package org.cabrank.lf.dispatch;

import org.cabrank.lf.counting.LatencyCounts;

/**
 * A handle as dispatch sees it: its claim, its places in the slot table, the posted list and the timer heap, and the work that its
 * handler has handed away. The base of {@code org.cabrank.lf.handle.Handle}, so that a handle is one object.
 */
public abstract class HandleState extends ClaimState {
    private long key;

    /**
     * The id of the thread that runs the handler now, or 0. Racy on purpose: only a thread that wrote its id here reads it.
     * An id rather than the thread: storing a reference at every event costs a garbage collector's barrier.
     */
    private long holderId;

    /** The timer's deadline and place in the heap; guarded by the heap's lock. */
    long deadlineNs = Dispatcher.NO_DEADLINE;

    int timerIndex = -1;

    /** True if the handler offloaded work before its handle was re-armed. Used by the claim holder. */
    private boolean rearmPending;

    /** See {@link SlotTable#addJoining}. Guarded by the table. */
    boolean isJoining;

    HandleState nextPosted;

    /** The offloaded work; null: none is under way. Used by the claim holder. */
    OffloadedWork offloaded;

    /** The first failure that a thread without the claim noted; the handle will be closed because of it. Null: none. */
    private volatile Throwable closeCause;

    protected HandleState(boolean concurrent, int alsoWhenDetained) {
        super(concurrent, alsoWhenDetained);
    }

    protected abstract void callHandler(int ready) throws Exception;

    /** Tells the handler that the handle is closed; a null cause: the close was requested. */
    protected abstract void notifyClosed(Throwable cause);

    /** Tells the handler, which is about to wait for a reply, that the handle is let go. */
    protected abstract void notifyNestedWait();

    /** Any thread: returns true if a graceful stop has the handler called once more. */
    protected abstract boolean isCalledLast();

    /** Any thread: returns true if the backend has a descriptor to arm and to close. */
    protected abstract boolean hasDescriptor();

    protected abstract Class<?> handlerClass();

    final long key() {
        return key;
    }

    final void key(long key) {
        this.key = key;
    }

    /** Returns true if the thread of this id runs this handle's handler; racy for any other thread. */
    final boolean isHeldBy(long threadId) {
        return holderId == threadId;
    }

    final void holderId(long threadId) {
        holderId = threadId;
    }

    /** Any thread: keeps the cause for the thread that will close the handle; of several causes the first counts. */
    final void noteFailure(Throwable cause) {
        synchronized (this) {
            if (closeCause == null) {
                closeCause = cause;
            }
        }
    }

    /** The noted cause, for a closing thread that knows no other; null: none was noted, so the close was requested. */
    final Throwable closeCause() {
        return closeCause;
    }

    /**
     * Claim holder. Keeps the detection time of the event for the continuation.
     *
     * @return false if no offload is under way
     */
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

    /** Claim holder: the handle is to be armed when the offload continuation has run. */
    final void oweRearm() {
        rearmPending = true;
    }

    final boolean takeRearmPending() {
        boolean owed = rearmPending;
        rearmPending = false;
        return owed;
    }
}
