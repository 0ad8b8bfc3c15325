package org.cabrank.lf.dispatch;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The atomic state of a handle. It records the threads that process the handle, and the ready bits that are still to be processed.
 * <pre>
 *   31      30        29     28     27       26         25      16 15            0
 * +-------+---------+------+------+--------+----------+----------+---------------+
 * |CLAIMED|SUSPENDED|POSTED|CLOSED|DETAINED|CONCURRENT| holders  | pending ready |
 * +-------+---------+------+------+--------+----------+----------+---------------+
 * </pre>
 * <p>A thread that processes the handle is a <em>holder</em>. An <em>iterative</em> handle (POSA2: Handles and Handle Sets) has one holder
 * at a time, which sets CLAIMED. A <em>concurrent</em> handle counts its holders, and only the thread that closes it sets CLAIMED.
 * Invariants:
 * <ol>
 *   <li>While CLAIMED is set, no other thread becomes a holder.
 *   <li>A reported ready bit is given to exactly one holder. While there is no holder, the bit is pending. If a holder calls {@link
 *       #release} while bits are pending, it gets these bits and stays a holder.
 *   <li>While the handle is suspended, pending bits are kept back until {@link #resume}. While offloaded work detains the handle, they are
 *       kept back until a holder gets RESUMED, which marks the end of the work. Some bits of a handle may be excepted from this.
 *   <li>A request to close is never kept back. After it, no further thread becomes a holder of a concurrent handle. The last holder that
 *       leaves gets the request. If there is no holder, the next thread gets the request. That thread is the only holder from then on.
 *   <li>While the handle is on its set's posted list, POSTED is set. So the handle is at most once on the list.
 *   <li>CLOSED is final, and only a thread that has the claim sets it.
 *   <li>If the count of holders is full, ready bits stay pending until a holder calls {@link #release}.
 * </ol>
 */
abstract class ClaimState {
    private static final int CLAIMED = 1 << 31;
    private static final int SUSPENDED = 1 << 30;
    private static final int POSTED = 1 << 29;
    private static final int CLOSED = 1 << 28;
    private static final int DETAINED = 1 << 27;
    private static final int CONCURRENT = 1 << 26;
    private static final int HOLDER = 1 << 16;
    private static final int HOLDERS = CONCURRENT - HOLDER;

    static final int HOLDERS_MAX = HOLDERS / HOLDER;

    static final int KEPT = -1;

    private static final VarHandle STATE;

    static {
        try {
            STATE = MethodHandles.lookup().findVarHandle(ClaimState.class, "state", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private volatile int state;

    /** Bits that are dispatched while the handle is detained. */
    private final int whenDetained;

    ClaimState(boolean concurrent) {
        this(concurrent, 0);
    }

    ClaimState(boolean concurrent, int alsoWhenDetained) {
        whenDetained = ReadyBits.WHEN_DETAINED | alsoWhenDetained;
        STATE.set(this, concurrent ? CONCURRENT : 0); // published with the handle
    }

    /** Returns the pending bits that a new holder would get. Returns 0 if no thread may become a holder. */
    private int granted(int state) {
        if ((state & (CLAIMED | CLOSED)) != 0) {
            return 0;
        }
        int kept = (state & SUSPENDED) != 0 ? ReadyBits.CLOSE : (state & DETAINED) != 0 ? whenDetained : ReadyBits.MASK;
        int due = state & kept;
        int holders = state & HOLDERS;
        return holders != 0 && ((due & ReadyBits.CLOSE) != 0 || holders == HOLDERS) ? 0 : due;
    }

    private static int entered(int state, int granted) {
        boolean shares = (state & CONCURRENT) != 0 && (granted & ReadyBits.CLOSE) == 0;
        return shares ? (state & ~granted) + HOLDER : state & ~granted | CLAIMED;
    }

    /** Returns the state after a holder has left. It may be unchanged, because {@link #claimAlone} may not have marked the claim. */
    private static int left(int state) {
        return (state & CLAIMED) != 0 ? state & ~CLAIMED : (state & HOLDERS) != 0 ? state - HOLDER : state;
    }

    /** Reports {@code ready}. If the caller becomes a holder, returns the bits to process. Otherwise returns 0. Called by the leader. */
    final int claim(int ready) {
        for (; ; ) {
            int seen = state;
            int noted = seen | ready;
            if ((seen & CLOSED) != 0 || (noted & ReadyBits.MASK) == 0) {
                return 0;
            }
            int granted = granted(noted);
            // This write is needed even if it changes nothing. See notePosted for the reason.
            if (STATE.compareAndSet(this, seen, granted != 0 ? entered(noted, granted) : noted)) {
                return granted;
            }
        }
    }

    /** Like {@link #claim}, for a pool of one thread. If nothing is pending, saves the compare-and-set and does not mark the claim. */
    final int claimAlone(int ready) {
        return (state & ~(POSTED | CONCURRENT)) == 0 ? ready : claim(ready);
    }

    /** Counts a thread that has entered by {@link #claimAlone} as a holder, so that the handle is not closed while it waits. */
    final void countWaiting() {
        for (int seen = state; (seen & (CLAIMED | HOLDERS)) == 0; seen = state) {
            if (STATE.compareAndSet(this, seen, seen + HOLDER)) {
                return;
            }
        }
    }

    /** Like {@link #claim}, for a handle that was taken from the posted list. Returns 0 if nothing is pending. Called by the leader. */
    final int claimPosted() {
        return claimPosted(ReadyBits.MASK); // all granted bits are wanted
    }

    /**
     * Like {@link #claimPosted()}, but returns {@link #KEPT} if bits are pending, but none of the {@code wanted} bits. In this case POSTED
     * stays set, and the caller must call {@link #claimPosted()} later. A detained handle is never kept, because RESUMED must find POSTED
     * clear. Otherwise nobody would put the handle on the posted list.
     */
    final int claimPosted(int wanted) {
        for (; ; ) {
            int seen = state;
            int granted = granted(seen);
            if (granted != 0 && (granted & wanted) == 0 && (seen & DETAINED) == 0) {
                return KEPT;
            }
            if (STATE.compareAndSet(this, seen, (granted != 0 ? entered(seen, granted) : seen) & ~POSTED)) {
                return granted;
            }
        }
    }

    /** Ends the claim and returns 0. If bits are pending, keeps the claim and returns these bits to be processed. Called by a holder. */
    final int release() {
        for (; ; ) {
            int seen = state;
            if ((seen & (CLAIMED | HOLDERS | ReadyBits.MASK)) == 0) {
                return 0; // entered by claimAlone
            }
            int left = left(seen);
            int granted = granted(left);
            if (STATE.compareAndSet(this, seen, granted != 0 ? entered(left, granted) : left)) {
                return granted;
            }
        }
    }

    final boolean yield() {
        for (; ; ) {
            int seen = state;
            int left = left(seen);
            boolean due = granted(left) != 0 && (seen & POSTED) == 0;
            if (STATE.compareAndSet(this, seen, due ? left | POSTED : left)) {
                return due;
            }
        }
    }

    /** Notes {@code ready}. Returns true if the caller must put the handle on the posted list and wake the leader. */
    final boolean notePosted(int ready) {
        for (; ; ) {
            int seen = state;
            if ((seen & CLOSED) != 0) {
                return false;
            }
            int noted = seen | ready;
            boolean due = granted(noted) != 0 && (seen & POSTED) == 0;
            // This write is needed even if it changes nothing. The caller may have just published an item by a plain or
            // release store. If this only read the state, a holder could take the bit and check for items before it
            // sees the new item.
            if (STATE.compareAndSet(this, seen, due ? noted | POSTED : noted)) {
                return due;
            }
        }
    }

    /** Keeps events back from now on. Returns false if the handle is suspended already or is closed. Any thread may call this. */
    final boolean suspend() {
        return mark(SUSPENDED);
    }

    /** Keeps back all bits but {@code whenDetained}. Returns false if the handle is detained already or is closed. Called by the holder. */
    final boolean detain() {
        return mark(DETAINED);
    }

    private boolean mark(int bit) {
        for (; ; ) {
            int seen = state;
            if ((seen & (bit | CLOSED)) != 0) {
                return false;
            }
            if (STATE.compareAndSet(this, seen, seen | bit)) {
                return true;
            }
        }
    }

    final void endDetention() {
        STATE.getAndBitwiseAnd(this, ~DETAINED);
    }

    enum Resumption {
        WAS_NOT_SUSPENDED,
        NOTHING_DUE,
        /** The caller must put the handle on the posted list and wake the leader. */
        POST_DUE
    }

    /** Undoes {@link #suspend}, and notes {@code ready} in the same step. Any thread may call this. */
    final Resumption resume(int ready) {
        for (; ; ) {
            int seen = state;
            if ((seen & SUSPENDED) == 0) {
                return Resumption.WAS_NOT_SUSPENDED;
            }
            int noted = ((seen & CLOSED) != 0 ? seen : seen | ready) & ~SUSPENDED;
            boolean due = granted(noted) != 0 && (seen & POSTED) == 0;
            if (STATE.compareAndSet(this, seen, due ? noted | POSTED : noted)) {
                return due ? Resumption.POST_DUE : Resumption.NOTHING_DUE;
            }
        }
    }

    /** Closes the handle. Later events are ignored. Returns false if the handle was closed already. Called by the holder. */
    final boolean markClosed() {
        for (; ; ) {
            int seen = state;
            if ((seen & CLOSED) != 0) {
                return false;
            }
            if (STATE.compareAndSet(this, seen, (seen | CLOSED) & ~(DETAINED | ReadyBits.MASK))) {
                return true;
            }
        }
    }

    final boolean isConcurrentState() {
        return (state & CONCURRENT) != 0;
    }

    final boolean isClosedState() {
        return (state & CLOSED) != 0;
    }

    final boolean isSuspended() {
        return (state & SUSPENDED) != 0;
    }

    final boolean isDetained() {
        return (state & DETAINED) != 0;
    }

    final boolean isClaimed() {
        return (state & (CLAIMED | HOLDERS)) != 0;
    }

    final boolean isPosted() {
        return (state & POSTED) != 0;
    }

    final int holders() {
        return (state & HOLDERS) / HOLDER;
    }
}
