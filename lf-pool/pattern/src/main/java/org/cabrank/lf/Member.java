package org.cabrank.lf;

import org.cabrank.lf.counting.MemberCounters;
import org.cabrank.lf.counting.ThreadCounters;
import org.cabrank.lf.dispatch.ProcessingThread;

final class Member extends ProcessingThread implements WatchedPool.Progress {
    final MemberCounters counters;

    private final ThreadCounters before;

    /** Guarded by the members' lock. */
    boolean leaving;

    /** True if the pool started the thread, so the pool may end it. Written by the thread before it takes part. */
    boolean ofPool;

    /** The reply that the thread waits for; null if it takes part without a reply. */
    Reply<?> awaited;

    /** Number of this thread's handlers that wait for replies, one above the other on its stack. */
    int nested;

    /** Event count at the last JVM error outside a handler. A second such error at the same count is fatal. */
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
