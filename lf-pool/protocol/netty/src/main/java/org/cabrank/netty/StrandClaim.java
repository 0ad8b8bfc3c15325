package org.cabrank.netty;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The right to run a strand. One thread, the holder, has it at a time.
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
 *   <li>A thread is the holder from a {@link #tryEnter} that returns true to a {@link #tryLeave} that returns true, or to {@link #yield}.
 *       The compare-and-sets make a holder's writes visible to the next holder.
 *   <li>The present or the next holder sees all work that was added before {@link #makeDue}. The present holder sees it, because its {@link
 *       #tryLeave} fails. Otherwise a next holder enters, because {@link #makeDue} has returned true to exactly one thread since the claim
 *       was free. Each step from a due state is one atomic read and write. Therefore the holder also sees the work of a thread that found
 *       the state due.
 *   <li>While there may be work, {@link #takeWork} returns true to the holder, because each step from a due state notes the work.
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

    /** True if there may be work. Only the holder uses this field. */
    private boolean work;

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

    /** Notes work that the holder itself has added. This work needs no {@link #makeDue}. */
    void noteOwnWork() {
        work = true;
    }

    /** Called by the holder. Returns true if there may be work, and clears the note. */
    boolean takeWork() {
        boolean taken = work;
        work = false;
        return taken;
    }

    /** Called by the holder when nothing is left to do. If new work has arrived, returns false, and the caller still holds the strand. */
    boolean tryLeave() {
        if (STATE.compareAndSet(this, HELD, FREE)) {
            return true;
        }
        STATE.getAndSet(this, HELD); // before the holder checks for work; reads what makeDue has written
        work = true;
        return false;
    }

    /** Called by the holder. Leaves the work to the next holder. The caller must notify a thread. */
    void yield() {
        STATE.getAndSet(this, DUE);
    }

    /** Called by any thread after it has added work. Returns true if the caller must notify a thread, because no holder will check. */
    boolean makeDue() {
        for (; ; ) {
            int seen = state;
            // Writes the state even if it is already DUE. Otherwise a holder could check for work before the work is
            // visible.
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
