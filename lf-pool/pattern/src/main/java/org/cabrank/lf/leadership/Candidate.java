package org.cabrank.lf.leadership;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * A thread as leadership sees it: it leads a handle set, processes an event, or follows. Written by the thread unless a comment says
 * otherwise. The same object is a {@code ProcessingThread} for dispatch and a {@code Member} for the pool.
 */
public class Candidate {
    private static final VarHandle PROCESSING;

    static {
        try {
            PROCESSING = MethodHandles.lookup().findVarHandle(Candidate.class, "processing", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** Number from 1; 0 is a vacant leadership in the leadership word. */
    public final int id;

    public final Thread thread;

    /** Set by the promoting thread, after the leadership word names this thread. */
    public volatile boolean promoted;

    /** Written by the promoter before the flag. */
    public long promotedNs;

    /** Written with the followers' lock. */
    public volatile boolean following;

    /** True if the thread has led or followed since it joined. Written with the followers' lock. */
    public volatile boolean arrived;

    /** True if this follower must leave, because the pool has more than it needs. Written with the followers' lock. */
    volatile boolean dismissed;

    public volatile boolean asleep;

    /** Index of the set that the thread leads, or led last. Set by the promoter before the flag. */
    public int leads;

    /** The word that began the event in progress; 0: leadership was given away or no event is in progress. */
    public long begun;

    public boolean processing;

    /** True after an interrupt during a wait; restored when the thread leaves. */
    public boolean interrupted;

    /** For {@link PriorityFollowerQueue}. */
    public long arrival;

    /** Null until the thread has led. Written before the word says PROCESSING. */
    private BooleanSupplier probe;

    public Candidate(int id, Thread thread) {
        this.id = id;
        this.thread = thread;
    }

    /** Called by the thread before its events can be watched. {@code probes} returns a probe of the calling thread: true if blocked. */
    public final void beWatched(Supplier<? extends BooleanSupplier> probes) {
        if (probe == null) {
            probe = probes.get();
        }
    }

    /** Called by the thread: clears the interrupt status, which the next handler must not see; it is restored when the thread leaves. */
    public final void noteInterrupt() {
        if (Thread.interrupted()) {
            interrupted = true;
        }
    }

    /** Any thread: true if this thread runs an event handler; a little late. */
    public final boolean isProcessingOpaque() {
        return (boolean) PROCESSING.getOpaque(this);
    }

    /** Watcher: true if this thread sleeps or waits for another thread, as far as Java knows. */
    public final boolean isWaiting() {
        return thread.getState() != Thread.State.RUNNABLE;
    }

    /** Watcher: true if this thread is blocked: neither running nor runnable. */
    public final boolean isBlocked() {
        return isWaiting() || probe == null || probe.getAsBoolean();
    }

    public boolean isReplied() {
        return false;
    }

    @Override
    public String toString() {
        return (thread == null ? "a thread to come" : thread.getName()) + " (" + id + ")";
    }
}
