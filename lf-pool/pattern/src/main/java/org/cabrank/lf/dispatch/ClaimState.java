package org.cabrank.lf.dispatch;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The atomic state of a handle: the threads that process it, and the bits that have become ready since they claimed it.
 * <pre>
 *   31      30        29     28     27       26         25      16 15            0
 * +-------+---------+------+------+--------+----------+----------+---------------+
 * |CLAIMED|SUSPENDED|POSTED|CLOSED|DETAINED|CONCURRENT| holders  | pending ready |
 * +-------+---------+------+------+--------+----------+----------+---------------+
 * </pre>
 * <p>An <em>iterative</em> handle (POSA2: Handles and Handle Sets) has one holder at a time, which sets CLAIMED. A <em>concurrent</em>
 * handle counts its holders instead; only the thread that closes it sets CLAIMED. Invariants:
 * <ol>
 *   <li>While CLAIMED is set, no other thread becomes a holder.
 *   <li>A reported ready bit is given to exactly one holder, or stays pending until there is a holder. A holder cannot let go while bits
 *       are pending that it may be given: {@link #release} gives it these bits instead.
 *   <li>Pending bits are kept back while the handle is suspended, until {@link #resume}. They are also kept back while offloaded work
 *       detains the handle, until RESUMED, the end of the work, has been given to a holder; except bits that the handle wants even then.
 *   <li>A request to close is never kept back. It lets no further holder into a concurrent handle, and is given to the last holder that
 *       leaves; if there is no holder, to the next thread. This thread is the only holder from then on.
 *   <li>POSTED is set as long as the handle stands in its set's posted list, so it stands there at most once.
 *   <li>CLOSED is final, and only a thread that has the claim sets it.
 *   <li>If the count of holders is full, ready bits are noted, and given to a holder when it lets go.
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

    /** Named bound: number of threads inside a concurrent handle at once. */
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

    /** Returns the pending bits that a new holder would be given; 0 if there are none, or if no thread may become a holder. */
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

    /** Returns the state after a holder has left. This is {@code state} if the holder had claimed by {@link #claimAlone}. */
    private static int left(int state) {
        return (state & CLAIMED) != 0 ? state & ~CLAIMED : (state & HOLDERS) != 0 ? state - HOLDER : state;
    }

    /** Called by the leader: reports {@code ready}. Returns the bits to process as a holder; 0 if the caller does not become a holder. */
    final int claim(int ready) {
        for (; ; ) {
            int seen = state;
            int noted = seen | ready;
            if ((seen & CLOSED) != 0 || (noted & ReadyBits.MASK) == 0) {
                return 0;
            }
            int granted = granted(noted);
            // Written even if every bit is noted already: notePosted gives the reason.
            if (STATE.compareAndSet(this, seen, granted != 0 ? entered(noted, granted) : noted)) {
                return granted;
            }
        }
    }

    /** Does {@link #claim} in a pool of one thread. While nothing is pending, marks nothing, to save the compare-and-set. */
    final int claimAlone(int ready) {
        return (state & ~(POSTED | CONCURRENT)) == 0 ? ready : claim(ready);
    }

    /**
     * Called before the handler of a concurrent handle waits for a reply. Counts the calling thread as a holder if it has entered by {@link
     * #claimAlone}: otherwise the handle would be closed during the wait.
     */
    final void countWaiting() {
        for (int seen = state; (seen & (CLAIMED | HOLDERS)) == 0; seen = state) {
            if (STATE.compareAndSet(this, seen, seen + HOLDER)) {
                return;
            }
        }
    }

    /** Called by the leader: does {@link #claim} for a handle that has left the posted list. Returns 0 if nothing is pending. */
    final int claimPosted() {
        return claimPosted(ReadyBits.MASK); // all granted bits are wanted
    }

    /**
     * Called by the leader for a handle that has left the posted list, or was kept for later. Does {@link #claimPosted()} if one of the
     * {@code wanted} bits would be given. If only other bits would be given, returns {@link #KEPT}: POSTED stays set, and the caller must
     * ensure a later {@link #claimPosted()}.
     */
    final int claimPosted(int wanted) {
        for (; ; ) {
            int seen = state;
            int granted = granted(seen);
            if (granted != 0 && (granted & wanted) == 0) {
                return KEPT;
            }
            if (STATE.compareAndSet(this, seen, (granted != 0 ? entered(seen, granted) : seen) & ~POSTED)) {
                return granted;
            }
        }
    }

    /** Called by a holder: ends the claim and returns 0. If bits are pending, keeps the claim and returns them to be processed. */
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

    /** Any thread: notes {@code ready}. Returns true if the caller must put the handle on the posted list and wake the leader. */
    final boolean notePosted(int ready) {
        for (; ; ) {
            int seen = state;
            if ((seen & CLOSED) != 0) {
                return false;
            }
            int noted = seen | ready;
            boolean due = granted(noted) != 0 && (seen & POSTED) == 0;
            // Written even if nothing changes. If the caller has just published an item by a plain or release store,
            // and only read the state here, a holder could take the bit, check, and not see the item yet.
            if (STATE.compareAndSet(this, seen, due ? noted | POSTED : noted)) {
                return due;
            }
        }
    }

    /** Any thread: events are only noted from now on. Returns false if the handle was suspended already, or is closed. */
    final boolean suspend() {
        return mark(SUSPENDED);
    }

    /** Called by the holder: from now on only {@code whenDetained} is dispatched. Returns false if it was detained already or is closed. */
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

    /** Any thread: undoes {@link #suspend}, and notes {@code ready} in the same step. */
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

    /** Called by the holder: no event is dispatched or noted any more. Returns false if the handle was closed already. */
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

    /** Returns true if the handle is on the posted list, or a thread is about to put it there. */
    final boolean isPosted() {
        return (state & POSTED) != 0;
    }

    final int holders() {
        return (state & HOLDERS) / HOLDER;
    }
}
