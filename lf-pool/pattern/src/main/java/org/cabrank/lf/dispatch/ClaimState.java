package org.cabrank.lf.dispatch;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The atomic state of a handle: the threads that process it, and what has become ready since they claimed it.
 * <pre>
 *   31      30        29     28     27       26         25      16 15            0
 * +-------+---------+------+------+--------+----------+----------+---------------+
 * |CLAIMED|SUSPENDED|POSTED|CLOSED|DETAINED|CONCURRENT| holders  | pending ready |
 * +-------+---------+------+------+--------+----------+----------+---------------+
 * </pre>
 * <p>An <em>iterative</em> handle (POSA2: Handles and Handle Sets) has one holder at a time: CLAIMED. A <em>concurrent</em> one counts its
 * holders instead; only the thread that closes it sets CLAIMED. Invariants:
 * <ol>
 *   <li>Between the step that sets CLAIMED and the one that clears it, no other thread becomes a holder.
 *   <li>A reported ready bit is given to exactly one holder, or stays pending until a holder comes: a holder cannot let go while bits are
 *       pending that it may be given ({@link #release} gives them instead).
 *   <li>Pending bits are kept back while the handle is suspended, until {@link #resume}; and while it is detained by offloaded work, until
 *       the end of that work (RESUMED) has been given to a holder, before all other bits; except bits that the handle wants even then.
 *   <li>A request to close is never kept back. At a concurrent handle it lets no further holder in, and is given to the last that leaves,
 *       or without one to the next thread; that thread is alone from then on.
 *   <li>POSTED is set as long as the handle stands in its set's posted list, so it stands there at most once.
 *   <li>CLOSED is final, and only a thread that has the claim sets it.
 *   <li>What finds no room in the count of holders is noted, and given to a holder when it lets go.
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

    /** Named bound: threads inside a concurrent handle at once. */
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

    /** Returns the state after a holder has left, unchanged if the holder had claimed alone. */
    private static int left(int state) {
        return (state & CLAIMED) != 0 ? state & ~CLAIMED : (state & HOLDERS) != 0 ? state - HOLDER : state;
    }

    /** Leader: reports {@code ready}. Returns the bits to process as a holder; 0: noted for another, kept back, closed or none ready. */
    final int claim(int ready) {
        for (; ; ) {
            int seen = state;
            int noted = seen | ready;
            if ((seen & CLOSED) != 0 || (noted & ReadyBits.MASK) == 0) {
                return 0;
            }
            int granted = granted(noted);
            // Done even if every bit is noted already, for the reason in notePosted.
            if (STATE.compareAndSet(this, seen, granted != 0 ? entered(noted, granted) : noted)) {
                return granted;
            }
        }
    }

    /** {@link #claim} for a pool of one thread, without a rival: marks nothing while nothing is pending, to save the compare-and-set. */
    final int claimAlone(int ready) {
        return (state & ~(POSTED | CONCURRENT)) == 0 ? ready : claim(ready);
    }

    /**
     * Called when the handler of a concurrent handle waits and its thread processes other events. Counts a thread that has
     * {@linkplain #claimAlone claimed alone}: otherwise the handle would be closed during the wait.
     */
    final void countWaiting() {
        for (int seen = state; (seen & (CLAIMED | HOLDERS)) == 0; seen = state) {
            if (STATE.compareAndSet(this, seen, seen + HOLDER)) {
                return;
            }
        }
    }

    /** Leader: does {@link #claim} for a handle that has left the posted list; 0 if nothing is pending. */
    final int claimPosted() {
        return claimPosted(ReadyBits.MASK); // whatever is granted is wanted
    }

    /**
     * Leader: the handle has left the posted list, or is kept for later. Does {@link #claimPosted()} if one of the {@code wanted} bits
     * would be given. Returns {@link #KEPT} if only other bits would be: POSTED stays set, and the caller must have {@link #claimPosted()}
     * called later.
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

    /** Holder: ends the claim and returns 0, or keeps it and returns the ready bits that arrived since, which the holder must process. */
    final int release() {
        for (; ; ) {
            int seen = state;
            if ((seen & (CLAIMED | HOLDERS | ReadyBits.MASK)) == 0) {
                return 0; // claimed alone
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

    /** Any thread: notes that there is something to do. True: the caller must put the handle on the posted list and wake the leader. */
    final boolean notePosted(int ready) {
        for (; ; ) {
            int seen = state;
            if ((seen & CLOSED) != 0) {
                return false;
            }
            int noted = seen | ready;
            boolean due = granted(noted) != 0 && (seen & POSTED) == 0;
            // Written even if nothing changes. After a mere read, an item that the caller published before by a plain
            // or release store could become visible only after the holder has taken the bit and checked.
            if (STATE.compareAndSet(this, seen, due ? noted | POSTED : noted)) {
                return due;
            }
        }
    }

    /** Any thread: events are only noted from now on. Returns false if the handle was suspended already, or is closed. */
    final boolean suspend() {
        return mark(SUSPENDED);
    }

    /** Holder: only RESUMED is dispatched from now on. Returns false if the handle was detained already, or is closed. */
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

    /** Holder: nothing is dispatched or noted any more. Returns false if the handle was closed already. */
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
