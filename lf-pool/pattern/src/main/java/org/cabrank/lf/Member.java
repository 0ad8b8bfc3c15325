package org.cabrank.lf;

import org.cabrank.lf.counting.MemberCounters;
import org.cabrank.lf.dispatch.ProcessingThread;
import org.cabrank.lf.observe.ThreadCounters;
import org.cabrank.lf.observe.WatchedPool;

/** A thread while it takes part in a pool. */
final class Member extends ProcessingThread implements WatchedPool.Progress {
    final MemberCounters counters;

    private final ThreadCounters before;

    /** Guarded by the members' lock. */
    boolean leaving;

    /** The pool has started the thread, so the pool may end it. Written by the thread before it takes part. */
    boolean ofPool;

    /** The reply that it waits for and takes part for; null: it takes part without. */
    Reply<?> awaited;

    /** Number of its handlers that wait, one above the other on its stack. */
    int nested;

    /** The member's events at the last error of the JVM outside of a handler; of two without an event between, the second is fatal. */
    long processedAtFault = -1;

    Member(int id, Thread thread) {
        this(id, thread, new MemberCounters(null));
    }

    Member(int id, Thread thread, MemberCounters counters) {
        super(id, thread, counters);
        this.counters = counters;
        this.before = counters.now();
    }

    /** Any thread: what it has done since it joined. */
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
