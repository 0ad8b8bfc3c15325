package org.cabrank.lf.leadership;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * A thread as leadership sees it: it leads a handle set, processes an event, or follows. The thread itself writes the fields, unless a
 * comment says otherwise. The same object is a {@code ProcessingThread} for dispatch and a {@code Member} for the pool.
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

    /** Number of the thread, from 1; 0 stands for a vacant leadership in the leadership word. */
    public final int id;

    public final Thread thread;

    /** Set by the promoting thread, after the leadership word names this thread. */
    public volatile boolean promoted;

    /** Time of the promotion in ns; written by the promoter before the flag. */
    public long promotedNs;

    /** Written with the followers' lock. */
    public volatile boolean following;

    /** The thread has led or followed since it joined. Written with the followers' lock. */
    public volatile boolean arrived;

    /** True if this follower must leave, because the pool has more followers than it needs. Written under the followers' lock. */
    volatile boolean dismissed;

    public volatile boolean asleep;

    /** Index of the set that the thread leads, or led last. Set by the promoting thread before the flag. */
    public int leads;

    /** The leadership word that began the event in progress; 0 if leadership was given away or no event is in progress. */
    public long begun;

    public boolean processing;

    /** An interrupt that arrived while the thread waited; restored when the thread leaves. */
    public boolean interrupted;

    /** Number of the arrival in a {@link PriorityFollowerQueue}. */
    public long arrival;

    /** Null until the thread has led. Written before the word says that the thread processes an event. */
    private BooleanSupplier probe;

    public Candidate(int id, Thread thread) {
        this.id = id;
        this.thread = thread;
    }

    /**
     * Called by the thread itself before it processes events while the watcher or a liveness probe looks.
     *
     * @param probes returns a probe of the calling thread: true if that thread is blocked
     */
    public final void beWatched(Supplier<? extends BooleanSupplier> probes) {
        if (probe == null) {
            probe = probes.get();
        }
    }

    /**
     * Clears the interrupt status, which the next handler must not see, and restores it when the thread leaves. Called by the thread
     * itself.
     */
    public final void noteInterrupt() {
        if (Thread.interrupted()) {
            interrupted = true;
        }
    }

    /** Any thread: returns true if this thread runs an event handler; a little late. */
    public final boolean isProcessingOpaque() {
        return (boolean) PROCESSING.getOpaque(this);
    }

    /** Called by the watcher: returns true if this thread sleeps, or waits for another thread, as far as Java knows. */
    public final boolean isWaiting() {
        return thread.getState() != Thread.State.RUNNABLE;
    }

    /** Called by the watcher: returns true if this thread is blocked, so neither running nor runnable. */
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
