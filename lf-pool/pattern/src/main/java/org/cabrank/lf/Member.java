package org.cabrank.lf;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.cabrank.lf.counting.LatencyCounts;
import org.cabrank.lf.counting.MemberCounters;
import org.cabrank.lf.counting.PaddedCounts;
import org.cabrank.lf.leadership.Candidate;
import org.cabrank.lf.observe.ThreadCounters;
import org.cabrank.lf.observe.WatchedPool;

/** A thread while it takes part in a pool. */
final class Member extends Candidate implements WatchedPool.Progress {
    /** No handle's key: slots are not negative. */
    static final long HOLDS_NONE = -1;

    private static final VarHandle PROCESSING;
    private static final VarHandle HELD_KEY;

    static {
        try {
            PROCESSING = MethodHandles.lookup().findVarHandle(Candidate.class, "processing", boolean.class);
            HELD_KEY = MethodHandles.lookup().findVarHandle(Member.class, "heldKey", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    final long threadId;

    /** Those of its number. */
    final MemberCounters counters;

    /** As in {@link #counters}: found by one step less at every event. */
    final PaddedCounts counts;

    /** As in {@link #counters}. */
    final LatencyCounts latency;

    /**
     * Time at which the kernel reported the event that this member was given last, as in {@link ReadyList}; only if latency is
     * measured.
     */
    long detectedNs = LatencyCounts.UNKNOWN;

    /** The counters at the time of the join. */
    private final ThreadCounters before;

    /** Guarded by the members' lock. */
    boolean leaving;

    /** The concurrent handles whose handlers it runs. */
    final HeldConcurrentHandle inside = new HeldConcurrentHandle();

    /**
     * The key of the handle whose handler this member runs, {@link #HOLDS_NONE} when it has let go of it to wait nested. A key
     * rather than the handle: storing a reference at every event costs a garbage collector's barrier. Others read it to say
     * what takes so long, and check it.
     */
    long heldKey = HOLDS_NONE;

    /** The reply that it waits for and takes part for; null: it takes part without. */
    Reply<?> awaited;

    /** Number of its handlers that wait, one above the other on its stack. */
    int nested;

    /** The member has been given a handle since it joined, or since its present nested wait began. */
    boolean hasServed;

    /** An interrupt ends the member's present wait. */
    boolean interruptible;

    /** Restarts in a row after errors of the pool's own code, and the member's events at the last of them. */
    int recoveries;

    long processedAtRecovery;

    Member(int id, Thread thread, int sets) {
        this(id, thread, sets, new MemberCounters(null));
    }

    Member(int id, Thread thread, int sets, MemberCounters counters) {
        super(id, thread, sets);
        this.threadId = thread == null ? 0 : thread.getId();
        this.counters = counters;
        this.counts = counters.counts;
        this.latency = counters.latency;
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
    public boolean isProcessingOpaque() {
        return (boolean) PROCESSING.getOpaque(this);
    }

    long heldKeyOpaque() {
        return (long) HELD_KEY.getOpaque(this);
    }

    @Override
    public long processedOpaque() {
        return counts.valueOpaque(MemberCounters.PROCESSED);
    }

    /** By the member itself: what it takes part for is there, or it was interrupted in a wait that an interrupt ends. */
    @Override
    public boolean isReplied() {
        return awaited != null && (awaited.isDone() || interruptible && isInterrupted());
    }

    private boolean isInterrupted() {
        noteInterrupt();
        return interrupted;
    }
}
