package org.cabrank.netty;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The right to run a strand, which one thread has at a time.
 *
 * <pre>
 *          makeDue                tryEnter
 *   FREE ----------> DUE (posted) --------> HELD --- makeDue ---> HELD_DUE
 *    ^  \____________ tryEnter _____________^ |  ^                    |
 *    +---------------- tryLeave --------------+  +-- tryLeave fails --+
 * </pre>
 *
 * <p>Invariants:
 *
 * <ol>
 *   <li>One thread is the holder, from a {@link #tryEnter} that returns true to a {@link #tryLeave} that returns true, or to {@link
 *       #yield}. The compare-and-sets order memory: a holder's writes are visible to the next holder.
 *   <li>Work that was added before {@link #makeDue} is seen by the holder, whose {@link #tryLeave} fails, or by the next holder. The next
 *       holder enters because {@link #makeDue} has returned true to exactly one thread since the claim was free. Each step from a due state
 *       is one atomic read and write, so that the holder sees the work of threads that found the state due.
 *   <li>While there may be work, {@link #takeWork} returns true to the holder: a step from a due state notes it.
 * </ol>
 */
final class StrandClaim {
    private static final int FREE = 0;
    private static final int DUE = 1;
    private static final int HELD = 2;
    private static final int HELD_DUE = 3;

    private static final VarHandle STATE;

    static {
        try {
            STATE = MethodHandles.lookup().findVarHandle(StrandClaim.class, "state", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private volatile int state;

    /** True if there may be work. Accessed by the holder. */
    private boolean work;

    /** Returns true if the caller now holds the strand. */
    boolean tryEnter() {
        for (; ; ) {
            int seen = state;
            if (seen >= HELD) {
                return false;
            }
            if (STATE.compareAndSet(this, seen, HELD)) {
                work = seen == DUE;
                return true;
            }
        }
    }

    /** Holder. Notes work that the holder itself has added: this work needs no {@link #makeDue}. */
    void noteOwnWork() {
        work = true;
    }

    /** Holder. Returns true once if there may be work. */
    boolean takeWork() {
        boolean taken = work;
        work = false;
        return taken;
    }

    /** Holder, when nothing is left to do. Returns false if new work has arrived: the caller then still holds the strand. */
    boolean tryLeave() {
        if (STATE.compareAndSet(this, HELD, FREE)) {
            return true;
        }
        STATE.getAndSet(this, HELD); // before the holder checks for work; reads what makeDue has written
        work = true;
        return false;
    }

    /** Holder. Leaves the work to the next holder. The caller must notify a thread. */
    void yield() {
        STATE.getAndSet(this, DUE);
    }

    /** Any thread, after it has added work. Returns true if the caller must notify a thread, because no holder will check for work. */
    boolean makeDue() {
        for (; ; ) {
            int seen = state;
            // Even if the state is DUE already: otherwise a holder could check for work before the work is visible.
            if (STATE.compareAndSet(this, seen, seen < HELD ? DUE : HELD_DUE)) {
                return seen == FREE;
            }
        }
    }

    /** Returns true if a holder was requested and has not entered yet. */
    boolean isDue() {
        return state == DUE;
    }
}
