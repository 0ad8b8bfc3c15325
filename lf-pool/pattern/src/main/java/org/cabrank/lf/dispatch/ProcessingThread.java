package org.cabrank.lf.dispatch;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.cabrank.lf.counting.LatencyCounts;
import org.cabrank.lf.counting.MemberCounters;
import org.cabrank.lf.counting.PaddedCounts;
import org.cabrank.lf.leadership.Candidate;

/** A thread as dispatch sees it: it runs the handler of a claimed handle. Written by the thread itself. */
public abstract class ProcessingThread extends Candidate {
    /** The key of no handle, because slots are not negative. */
    private static final long HOLDS_NONE = -1;

    private static final VarHandle HELD_KEY;

    static {
        try {
            HELD_KEY = MethodHandles.lookup().findVarHandle(ProcessingThread.class, "heldKey", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    public final long threadId;

    public final PaddedCounts counts;

    public final LatencyCounts latency;

    /** True if the thread was given a handle since it joined, or since its present nested wait began. */
    public boolean hasServed;

    /** Detection time of the thread's last event, as in {@link ReadyList}; unknown unless latency is measured or recorded. */
    long detectedNs = LatencyCounts.UNKNOWN;

    final HeldConcurrentHandle inside = new HeldConcurrentHandle();

    /**
     * Key of the handle whose handler this thread runs; {@link #HOLDS_NONE} after letting go of it to wait nested. A key, because storing a
     * reference at every event costs a garbage collector's barrier. Other threads read it to name what takes so long, and check it.
     */
    private long heldKey = HOLDS_NONE;

    protected ProcessingThread(int id, Thread thread, MemberCounters counters) {
        super(id, thread);
        this.threadId = thread == null ? 0 : thread.getId();
        this.counts = counters.counts;
        this.latency = counters.latency;
    }

    final void hold(HandleState handle) {
        heldKey = handle.key();
    }

    final boolean holds(HandleState handle) {
        return heldKey == handle.key();
    }

    final HandleState held(Dispatcher set) {
        return heldKey == HOLDS_NONE ? null : set.lookup(heldKey);
    }

    /** Called if the thread holds no iterative handle. */
    public final void holdNone() {
        heldKey = HOLDS_NONE;
    }

    final long heldKeyOpaque() {
        return (long) HELD_KEY.getOpaque(this);
    }

    /** Any thread: describes the concurrent handle whose handler the thread runs, as far as visible; null if none. */
    public final String describeConcurrent() {
        return inside.describe();
    }
}
