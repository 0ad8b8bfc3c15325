package org.cabrank.lf.leadership;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * A thread that takes part in leadership. Only the thread itself writes a field, unless the comment of the field names another writer. For
 * dispatch the same object is a {@code ProcessingThread}, and for the pool a {@code Member}.
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

    /** True if this follower must leave because the pool has more threads than it needs. Written with the followers' lock. */
    volatile boolean dismissed;

    public volatile boolean asleep;

    /** Index of the set that the thread leads, or led last. Written by the promoter before {@code promoted}. */
    public int leads;

    /** The leadership word that this thread wrote when its event began. 0 if it processes no event or has given leadership away. */
    public long begun;

    public boolean processing;

    /** True after an interrupt whose status was cleared. The status is set again when the thread leaves. */
    public boolean interrupted;

    /** Used by {@link PriorityFollowerQueue}. A follower that arrived earlier has a smaller number. */
    public long arrival;

    /** Returns true if this thread is blocked. Null until {@link #beWatched}. Written before the leadership word says PROCESSING. */
    private BooleanSupplier probe;

    public Candidate(int id, Thread thread) {
        this.id = id;
        this.thread = thread;
    }

    /** Called by this thread. {@code probes} returns a probe of the calling thread, which is true while the thread is blocked. */
    public final void beWatched(Supplier<? extends BooleanSupplier> probes) {
        if (probe == null) {
            probe = probes.get();
        }
    }

    /** Clears the interrupt status, because the next handler must not see it. It is set again when this thread leaves. */
    public final void noteInterrupt() {
        if (Thread.interrupted()) {
            interrupted = true;
        }
    }

    /** Returns true if this thread runs an event handler. Any thread may call this, but the answer may be a little late. */
    public final boolean isProcessingOpaque() {
        return (boolean) PROCESSING.getOpaque(this);
    }

    /** Returns true if this thread sleeps or waits in Java code. A wait in a system call is not seen. Called by the watcher. */
    public final boolean isWaiting() {
        return thread.getState() != Thread.State.RUNNABLE;
    }

    /** Returns true if this thread is neither running nor runnable, or if this is not known. Called by the watcher. */
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
