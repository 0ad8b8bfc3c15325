package org.cabrank.lf.leadership;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * A thread as leadership sees it: it leads a handle set, processes an event, or follows. Only the thread writes a field unless the field's
 * comment names another writer. The same object is a {@code ProcessingThread} for dispatch and a {@code Member} for the pool.
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

    /** Number from 1. In the leadership word 0 means vacant. */
    public final int id;

    public final Thread thread;

    /** Set by the promoting thread, after the leadership word names this thread. */
    public volatile boolean promoted;

    /** Written by the promoter before {@code promoted}. */
    public long promotedNs;

    /** Written with the followers' lock. */
    public volatile boolean following;

    /** True if the thread has led or followed since it joined. Written with the followers' lock. */
    public volatile boolean arrived;

    /** True if this follower must leave, because the pool has more than it needs. Written with the followers' lock. */
    volatile boolean dismissed;

    public volatile boolean asleep;

    /** Index of the set that the thread leads, or led last. Written by the promoter before {@code promoted}. */
    public int leads;

    /** The leadership word at the beginning of the event in progress; 0 if leadership was given away or no event is in progress. */
    public long begun;

    public boolean processing;

    /** True after an interrupt whose status was cleared. The status is set again when the thread leaves. */
    public boolean interrupted;

    /** Number of the arrival; used by {@link PriorityFollowerQueue}. */
    public long arrival;

    /** Null until the thread has led. Written before the word says PROCESSING. */
    private BooleanSupplier probe;

    public Candidate(int id, Thread thread) {
        this.id = id;
        this.thread = thread;
    }

    /** Called by this thread before its events can be watched. {@code probes} returns a probe of it, which is true while it is blocked. */
    public final void beWatched(Supplier<? extends BooleanSupplier> probes) {
        if (probe == null) {
            probe = probes.get();
        }
    }

    /** Called by this thread: clears the interrupt status, which the next handler must not see, until the thread leaves. */
    public final void noteInterrupt() {
        if (Thread.interrupted()) {
            interrupted = true;
        }
    }

    /** Any thread: true if this thread runs an event handler. The answer may be a little late. */
    public final boolean isProcessingOpaque() {
        return (boolean) PROCESSING.getOpaque(this);
    }

    /** Called by the watcher: true if this thread sleeps or waits, as far as its Java state shows. */
    public final boolean isWaiting() {
        return thread.getState() != Thread.State.RUNNABLE;
    }

    /** Called by the watcher: true if this thread is blocked, that is, neither running nor runnable. */
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
