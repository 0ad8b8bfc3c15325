package org.cabrank.lf;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The atomic state of a handle: whether a thread processes it, and what has become ready meanwhile.
 *
 * <pre>
 *   31      30        29      28               16 15            0
 * +-------+---------+-------+------+-------------+---------------+
 * |CLAIMED|SUSPENDED|POSTED |CLOSED|   (unused)  | pending ready |
 * +-------+---------+-------+------+-------------+---------------+
 * </pre>
 *
 * <p>Invariants:
 *
 * <ol>
 *   <li>Between a successful {@link #claim} and the {@link #release} that answers 0, no other claim succeeds.
 *   <li>A ready bit that is reported is given to exactly one claim holder, or stays pending until one comes: the holder
 *       cannot let go while bits are pending (it is given them by {@link #release} instead), unless the handle is
 *       suspended; then {@link #resume} says that they are to be posted.
 *   <li>POSTED is set as long as the handle stands in its set's posted list, so it stands there at most once.
 *   <li>CLOSED is final, and only a claim holder sets it.
 *   <li>A request to close is delivered even while the handle is suspended.
 * </ol>
 */
abstract class ClaimState {
    private static final int CLAIMED = 1 << 31;
    private static final int SUSPENDED = 1 << 30;
    private static final int POSTED = 1 << 29;
    private static final int CLOSED = 1 << 28;

    private static final VarHandle STATE;

    static {
        try {
            STATE = MethodHandles.lookup().findVarHandle(ClaimState.class, "state", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private volatile int state;

    /** The pending bits that a thread may be given now. */
    private static int deliverable(int state) {
        if ((state & CLOSED) != 0) {
            return 0;
        }
        return state & ((state & SUSPENDED) != 0 ? Ready.CLOSE : Ready.MASK);
    }

    /**
     * Leader: reports {@code ready} and tries to claim.
     *
     * @return what the caller is to process as the claim's holder; 0: noted for the present holder, suspended or closed,
     *     or nothing is ready
     */
    final int claim(int ready) {
        for (; ; ) {
            int seen = state;
            int due = (seen | ready) & Ready.MASK;
            if ((seen & CLOSED) != 0 || due == 0) {
                return 0;
            }
            boolean busy = (seen & (CLAIMED | SUSPENDED)) != 0;
            // Even where every bit is noted already: see notePosted.
            if (STATE.compareAndSet(this, seen, busy ? seen | ready : seen & ~Ready.MASK | CLAIMED)) {
                return busy ? 0 : due;
            }
        }
    }

    /**
     * {@link #claim} for the only thread of a pool: nobody else claims, so while nothing is pending nothing is marked, and
     * the compare-and-set is saved.
     */
    final int claimAlone(int ready) {
        return (state & ~POSTED) == 0 ? ready : claim(ready);
    }

    /** Leader: the handle has left the posted list; else as {@link #claim}, and 0 when nothing is pending. */
    final int claimPosted() {
        for (; ; ) {
            int seen = state;
            int pending = deliverable(seen);
            boolean free = pending != 0 && (seen & CLAIMED) == 0;
            int next = (free ? seen & ~pending | CLAIMED : seen) & ~POSTED;
            if (STATE.compareAndSet(this, seen, next)) {
                return free ? pending : 0;
            }
        }
    }

    /** Holder: lets go, or takes what has become ready meanwhile and keeps the claim; 0: it has let go. */
    final int release() {
        for (; ; ) {
            int seen = state;
            if ((seen & (CLAIMED | Ready.MASK)) == 0) {
                return 0; // claimed alone
            }
            int pending = deliverable(seen);
            int next = pending != 0 ? seen & ~pending : seen & ~CLAIMED;
            if (STATE.compareAndSet(this, seen, next)) {
                return pending;
            }
        }
    }

    /**
     * Holder: lets go even though something is pending, for others' sake.
     *
     * @return true: the caller must put the handle on the posted list
     */
    final boolean yield() {
        for (; ; ) {
            int seen = state;
            boolean due = deliverable(seen) != 0 && (seen & POSTED) == 0;
            int next = (due ? seen | POSTED : seen) & ~CLAIMED;
            if (STATE.compareAndSet(this, seen, next)) {
                return due;
            }
        }
    }

    /**
     * Any thread: notes that there is something to do.
     *
     * @return true: the caller must put the handle on the posted list and wake the leader
     */
    final boolean notePosted(int ready) {
        for (; ; ) {
            int seen = state;
            if ((seen & CLOSED) != 0) {
                return false;
            }
            boolean due = deliverable(seen | ready) != 0 && (seen & (CLAIMED | POSTED)) == 0;
            // Even where it changes nothing. A mere read would not do: what the caller published before (the item of a
            // queue, by a plain or release store) could become visible after the holder has taken the bit and looked.
            if (STATE.compareAndSet(this, seen, seen | ready | (due ? POSTED : 0))) {
                return due;
            }
        }
    }

    /** Any thread: nothing is dispatched from now on, but noted; false: it was suspended already, or is closed. */
    final boolean suspend() {
        for (; ; ) {
            int seen = state;
            if ((seen & (SUSPENDED | CLOSED)) != 0) {
                return false;
            }
            if (STATE.compareAndSet(this, seen, seen | SUSPENDED)) {
                return true;
            }
        }
    }

    /** What {@link #resume} found. */
    enum Resumption {
        WAS_NOT_SUSPENDED,
        NOTHING_DUE,
        /** The caller must put the handle on the posted list and wake the leader. */
        POST_DUE
    }

    /** Any thread: undoes {@link #suspend}, and notes {@code ready} in the same step. */
    final Resumption resume(int ready) {
        for (; ; ) {
            int seen = state;
            if ((seen & SUSPENDED) == 0) {
                return Resumption.WAS_NOT_SUSPENDED;
            }
            boolean closed = (seen & CLOSED) != 0;
            int noted = closed ? seen : seen | ready;
            boolean due = !closed && (noted & Ready.MASK) != 0 && (seen & (CLAIMED | POSTED)) == 0;
            if (STATE.compareAndSet(this, seen, noted & ~SUSPENDED | (due ? POSTED : 0))) {
                return due ? Resumption.POST_DUE : Resumption.NOTHING_DUE;
            }
        }
    }

    /** Holder: nothing is dispatched or noted any more; false: it was closed already. */
    final boolean markClosed() {
        for (; ; ) {
            int seen = state;
            if ((seen & CLOSED) != 0) {
                return false;
            }
            if (STATE.compareAndSet(this, seen, (seen | CLOSED) & ~Ready.MASK)) {
                return true;
            }
        }
    }

    final boolean isClosedState() {
        return (state & CLOSED) != 0;
    }

    final boolean isSuspended() {
        return (state & SUSPENDED) != 0;
    }

    final boolean isClaimed() {
        return (state & CLAIMED) != 0;
    }
}
