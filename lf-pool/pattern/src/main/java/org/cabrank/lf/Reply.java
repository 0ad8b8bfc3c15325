package org.cabrank.lf;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.cabrank.lf.failure.StackRoom;
import org.cabrank.lf.handle.EventHandler;
import org.cabrank.lf.handle.Handle;
import org.cabrank.lf.leadership.Deadlines;
import org.cabrank.lf.leadership.Turn;

/**
 * The object that a thread waits for while it takes part in the pool: a future whose waiter still serves the pool.
 *
 * <p>While a thread waits in {@link #await}, it leads, follows and processes events like any other of the pool's threads
 * (POSA2, Leader/Followers: bound and hybrid handle/thread associations), so the event that brings the reply can be
 * processed by the very thread that waits for it, and a pool whose threads all wait still goes on. There are two kinds of
 * waiters:
 *
 * <ul>
 *   <li>A thread that takes no part in the pool joins it until the reply is there. If the pool has its full number of
 *       threads, those do the work: it sleeps, and joins as soon as one of them leaves.
 *   <li>A thread that processes an event of this pool waits <em>nested</em>: its handler lets go of its handle, whose further
 *       events may be processed from now on by any thread, the waiting thread included, and of leadership like a handler that has
 *       ended. Handlers that it runs while it waits stand on its stack above the waiting one, so replies are used
 *       last in, first out: a reply that comes while an inner handler runs, or waits itself, is used when that has
 *       returned. The depth is bounded ({@link PoolConfig#nestingMax}).
 * </ul>
 *
 * <p>After a nested wait the handler is no longer its handle's only one. What it does to the handle, it does as any other
 * thread: {@link Handle#close} is carried out when nobody processes the handle, and a failure that it throws closes it in
 * the same way. A service that does not want further events of the handle during the wait deactivates the handle, or pauses its
 * connection, before it waits.
 *
 * <pre>
 *   pending ── complete, fail, cancel: the first of them ──> done
 * </pre>
 *
 * @param <T> type of a successful reply
 */
public final class Reply<T> {
    /** Marks a reply completed with null; a null {@code outcome} field means "not completed". */
    private static final Object NULL = new Object();

    private static final Object CANCELLED = new Object();

    private record Failure(Throwable cause) {}

    private static final VarHandle OUTCOME;
    private static final VarHandle WAITER;
    private static final VarHandle FUTURE;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            OUTCOME = lookup.findVarHandle(Reply.class, "outcome", Object.class);
            WAITER = lookup.findVarHandle(Reply.class, "waiter", Member.class);
            FUTURE = lookup.findVarHandle(Reply.class, "future", CompletableFuture.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final ReplyWait waits;

    /**
     * Written once. A completing thread writes it and then reads {@code waiter}; a waiting thread does the reverse. So one sees the
     * other.
     */
    private volatile Object outcome;

    private volatile Member waiter;

    /**
     * Null if no future was requested. A requesting thread writes it and then reads {@code outcome}; a completing thread does the
     * reverse.
     */
    private volatile CompletableFuture<T> future;

    Reply(ReplyWait waits) {
        this.waits = waits;
    }

    /**
     * Any thread. Completes the reply, and wakes only its waiter.
     *
     * @return false: the reply was completed before, and this call has no effect
     */
    public boolean complete(T value) {
        StackRoom.require(); // a waiter that is not woken would wait indefinitely
        boolean first = completeWithoutWaking(value);
        if (first) {
            wakeWaiter();
        }
        return first;
    }

    /** Any thread. Ends the reply with a failure because of {@code cause}; otherwise like {@link #complete}. */
    public boolean fail(Throwable cause) {
        StackRoom.require();
        boolean first = failWithoutWaking(cause);
        if (first) {
            wakeWaiter();
        }
        return first;
    }

    /**
     * Any thread. Cancels the reply: its waiter gets a {@link CancellationException}. The operation that would have completed the reply
     * is not stopped.
     *
     * @return false: the reply was completed before, and this call has no effect
     */
    public boolean cancel() {
        StackRoom.require();
        boolean first = OUTCOME.compareAndSet(this, null, CANCELLED);
        if (first) {
            wakeWaiter();
        }
        return first;
    }

    public boolean isCancelled() {
        return outcome == CANCELLED;
    }

    /**
     * Any thread: the reply as a future, for whoever does not wait in the pool. Completed with the value, with the cause of the
     * failure, or with a {@link CancellationException}, by the thread that completes the reply: actions that depend on it run
     * there, perhaps on a thread of the pool, unless they are given an executor. Each call returns another future; what is done
     * to that future, cancelling included, does not reach the reply. Never completed if the reply never is.
     */
    @SuppressWarnings("unchecked")
    public CompletableFuture<T> toCompletableFuture() {
        CompletableFuture<T> made = new CompletableFuture<>();
        CompletableFuture<T> present = (CompletableFuture<T>) FUTURE.compareAndExchange(this, null, made);
        CompletableFuture<T> shared = present == null ? made : present;
        if (outcome != null) {
            copyOutcomeTo(shared);
        }
        return shared.copy();
    }

    @SuppressWarnings("unchecked")
    private void copyOutcomeTo(CompletableFuture<T> of) {
        Object done = outcome;
        if (done == CANCELLED) {
            of.completeExceptionally(new CancellationException("the reply was cancelled"));
        } else if (done instanceof Failure failure) {
            of.completeExceptionally(failure.cause());
        } else {
            of.complete(done == NULL ? null : (T) done);
        }
    }

    /**
     * Any thread: completes the reply as {@link #complete} does, without waking its waiter: for a caller that holds a lock. The
     * caller must call {@link #wakeWaiter} after it has released the lock.
     *
     * @return false: the reply was done before, and this call has no effect
     */
    public boolean completeWithoutWaking(T value) {
        return OUTCOME.compareAndSet(this, null, value == null ? NULL : value);
    }

    /** Any thread. Does {@link #completeWithoutWaking(Object)} with a failure. */
    public boolean failWithoutWaking(Throwable cause) {
        if (cause == null) {
            throw new NullPointerException("cause");
        }
        return OUTCOME.compareAndSet(this, null, new Failure(cause));
    }

    /** Any thread: wakes the waiter of a completed reply, and completes its futures. */
    public void wakeWaiter() {
        Member waiting = waiter;
        try {
            if (waiting != null) {
                waits.wake(waiting);
            }
        } finally {
            CompletableFuture<T> stage = future; // after the waiter, which must not wait for what depends on the future
            if (stage != null) {
                copyOutcomeTo(stage);
            }
        }
    }

    /** Returns true if {@link #await} would return, or throw the failure, at once. */
    public boolean isDone() {
        return outcome != null;
    }

    /**
     * Waits and takes part in the pool during the wait; see above. A handler that the thread runs when the time is up, or when the
     * reply comes, runs to its end first. An interrupt does not end the wait; its status is set again when the thread leaves
     * the pool.
     *
     * @return the value that the reply was completed with; at once from then on
     * @throws ExecutionException when the reply failed; the failure is its cause
     * @throws CancellationException when the reply was cancelled
     * @throws TimeoutException when the time is up; the reply is still pending, and may be waited for again
     * @throws PoolStoppedException when the pool stops first, gracefully or not: a stopping pool watches no longer
     * @throws NestingLimitException when the thread waits nested too often already
     * @throws IllegalStateException when a thread, or an outer handler of the calling thread, waits for this reply already, or the
     *     handler must not wait ({@link EventHandler#beforeNestedWait}), or a virtual thread waits for a pool without threads of its
     *     own; elsewhere a virtual thread sleeps, because it cannot take part
     */
    public T await(Duration timeout) throws ExecutionException, TimeoutException {
        Objects.requireNonNull(timeout, "timeout");
        if (outcome == null) {
            Turn.Outcome end = waits.waitFor(this, Deadlines.after(timeout, waits.nanoTime()));
            if (outcome == null && end == Turn.Outcome.TIMED_OUT) {
                throw new TimeoutException("no reply within " + timeout);
            }
            if (outcome == null) {
                throw new PoolStoppedException(waits + " stopped before the reply came", waits.failure());
            }
        }
        return result();
    }

    @SuppressWarnings("unchecked")
    private T result() throws ExecutionException {
        Object done = outcome;
        if (done == CANCELLED) {
            throw new CancellationException("the reply was cancelled");
        }
        if (done instanceof Failure failure) {
            throw new ExecutionException(failure.cause());
        }
        return done == NULL ? null : (T) done;
    }

    /** Announces that the calling thread, as {@code member}, will check {@link #isDone} before it rests. */
    void announce(Member member) {
        if (!WAITER.compareAndSet(this, null, member)) {
            throw new IllegalStateException("this reply is waited for already, by " + waiter);
        }
    }

    /** Replaces the announced thread by this member. */
    void announceAs(Member member) {
        waiter = member;
    }

    void withdraw() {
        waiter = null;
    }

    @Override
    public String toString() {
        Object done = outcome;
        if (done == null) {
            return "reply (pending)";
        }
        if (done == CANCELLED) {
            return "reply (cancelled)";
        }
        return done instanceof Failure failure ? "reply (failed: " + failure.cause() + ")" : "reply (done)";
    }
}
