package org.cabrank.lf.dispatch;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.cabrank.lf.counting.LatencyCounts;
import org.cabrank.lf.counting.MemberCounters;
import org.cabrank.lf.counting.PaddedCounts;
import org.cabrank.lf.leadership.Candidate;

/** A thread that runs the handlers of claimed handles. Only the thread itself writes to this object. */
public abstract class ProcessingThread extends Candidate {
    /** A key that no handle has, because slots are not negative. */
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

    /** Detection time of the thread's last event. It is only known if latency is measured or recorded. */
    long detectedNs = LatencyCounts.UNKNOWN;

    final HeldConcurrentHandle inside = new HeldConcurrentHandle();

    /**
     * Key of the handle whose handler this thread runs. It is a key, because storing a reference at every event would cost a GC barrier.
     * Other threads read it to describe a slow handler, and check that it is still valid.
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

    public final void holdNone() {
        heldKey = HOLDS_NONE;
    }

    final long heldKeyOpaque() {
        return (long) HELD_KEY.getOpaque(this);
    }

    /** Describes the concurrent handle whose handler the thread runs, or returns null. Any thread may call this. */
    public final String describeConcurrent() {
        return inside.describe();
    }
}
