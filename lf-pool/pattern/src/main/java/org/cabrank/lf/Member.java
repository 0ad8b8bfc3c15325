package org.cabrank.lf;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** A thread while it takes part in a pool. */
final class Member implements Watched.Progress {
    /** No handle's key: slots are not negative. */
    static final long HOLDS_NONE = -1;

    private static final VarHandle PROCESSING;
    private static final VarHandle HELD_KEY;

    static {
        try {
            PROCESSING = MethodHandles.lookup().findVarHandle(Member.class, "processing", boolean.class);
            HELD_KEY = MethodHandles.lookup().findVarHandle(Member.class, "heldKey", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** From 1; 0 stands for nobody in the leadership word. */
    final int id;

    final Thread thread;
    final long threadId;

    /** Those of its number. */
    final MemberCounters counters;

    /** As in {@link #counters}: found by one step less at every event. */
    final PaddedCounts counts;

    /** As in {@link #counters}. */
    final LatencyCounts latency;

    /** Where latency is measured: when the kernel reported what this member was given last, as {@link ReadyList} says. */
    long detectedNs = LatencyCounts.UNKNOWN;

    /** What had been counted when it joined. */
    private final ThreadCounters before;

    /** Set by the promoter, after the leadership word names this member. */
    volatile boolean promoted;

    /** When it was promoted; written before the flag. */
    long promotedNs;

    volatile boolean following;

    /** It sleeps, or is about to; a hint for who chooses among followers. */
    volatile boolean asleep;

    /** The index of the set that it leads, or led last. Set by the promoter before the flag. */
    int leads;

    /** The word that began the event in progress, 0 when leadership was given away or nothing is in progress. */
    long begun;

    /** Written by the member alone. */
    boolean processing;

    /** To be asked whether it runs; null until it has led. Written before the word says that it processes an event. */
    private KernelThread kernelThread;

    /** Guarded by the members' lock. */
    boolean leaving;

    /** The concurrent handles whose handlers it runs. */
    final Inside inside = new Inside();

    /**
     * The key of the handle whose handler this member runs, {@link #HOLDS_NONE} when it has let go of it to wait nested. A key
     * rather than the handle: storing a reference at every event costs a garbage collector's barrier. Others read it to say
     * what takes so long, and check it.
     */
    long heldKey = HOLDS_NONE;

    /** The reply that it waits for and takes part for; null: it takes part without. */
    Reply<?> awaited;

    /** How many of its handlers wait, one above the other on its stack. */
    int nested;

    /** The member has been given a handle since it joined, or since its present nested wait began. */
    boolean hasServed;

    /** An interrupt ends the member's present wait. */
    boolean interruptible;

    /** An interrupt that came while the member waited; restored when it leaves. */
    boolean interrupted;

    /** Restarts in a row after errors of the pool's own code, and the member's events at the last of them. */
    int recoveries;

    long processedAtRecovery;

    /** As standby. */
    final Looks looks;

    /** The place in a {@link LinkedLine}, and in a {@link PriorityLine}. */
    Member older;

    Member newer;
    long arrival;

    Member(int id, Thread thread, int sets) {
        this(id, thread, sets, new MemberCounters(null));
    }

    Member(int id, Thread thread, int sets, MemberCounters counters) {
        this.id = id;
        this.thread = thread;
        this.threadId = thread == null ? 0 : thread.getId();
        this.looks = new Looks(sets);
        this.counters = counters;
        this.counts = counters.counts;
        this.latency = counters.latency;
        this.before = counters.now();
    }

    /** The member itself, before it processes events while a standby or a liveness probe looks. */
    void beWatched() {
        if (kernelThread == null) {
            kernelThread = KernelThread.current();
        }
    }

    /** The member itself: clears its interrupt status, which is not for the next handler, and keeps it for when it leaves. */
    void noteInterrupt() {
        if (Thread.interrupted()) {
            interrupted = true;
        }
    }

    /** The standby that has seen it process an event: whether it sleeps, or waits for another thread. */
    boolean isWaiting() {
        return thread.getState() != Thread.State.RUNNABLE;
    }

    /** The same: whether it waits for something else than a processor. */
    boolean isBlocked() {
        return isWaiting() || kernelThread == null || kernelThread.isBlocked();
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
    boolean isReplied() {
        return awaited != null && (awaited.isDone() || interruptible && isInterrupted());
    }

    private boolean isInterrupted() {
        noteInterrupt();
        return interrupted;
    }

    @Override
    public String toString() {
        return (thread == null ? "a thread to come" : thread.getName()) + " (" + id + ")";
    }
}
