package org.cabrank.lf;

import org.cabrank.lf.counting.MemberCounters;
import org.cabrank.lf.counting.ThreadCounters;
import org.cabrank.lf.dispatch.ProcessingThread;

final class Member extends ProcessingThread implements WatchedPool.Progress {
    final MemberCounters counters;

    private final ThreadCounters before;

    /** Guarded by the members' lock. */
    boolean leaving;

    /** True if the pool has started this thread and so may end it. Written by the thread before it takes part. */
    boolean ofPool;

    /** Null if the thread does not wait for a reply. */
    Reply<?> awaited;

    /** Number of handlers on this thread's stack that wait for a reply. */
    int nested;

    /** Number of processed events at the last JVM error. If the number is the same at the next JVM error, the pool fails. */
    long processedAtFault = -1;

    Member(int id, Thread thread) {
        this(id, thread, new MemberCounters(null));
    }

    Member(int id, Thread thread, MemberCounters counters) {
        super(id, thread, counters);
        this.counters = counters;
        this.before = counters.now();
    }

    ThreadCounters countersSinceJoin() {
        return counters.since(before);
    }

    @Override
    public Thread thread() {
        return thread;
    }

    @Override
    public long processedOpaque() {
        return counts.valueOpaque(MemberCounters.PROCESSED);
    }

    @Override
    public boolean isReplied() {
        return awaited != null && awaited.isDone();
    }
}
