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
 * A future whose waiting thread serves the pool. While a thread waits in {@link #await}, it leads, follows and processes events like the
 * pool's other threads (POSA2, Leader/Followers: bound and hybrid handle/thread associations). So the waiting thread may process the event
 * that brings its reply, and a pool still serves while all its threads wait. There are two kinds of waiters:
 * <ul>
 *   <li>A thread that takes no part in the pool joins the pool until the reply arrives. If the pool has its full number of threads, the
 *       thread sleeps, and joins as soon as another thread leaves.
 *   <li>A thread that processes an event of this pool waits <em>nested</em>: its handler gives up leadership and its handle. Any thread,
 *       the waiting thread included, may process further events of the handle. Handlers that run during the wait stand above the waiting
 *       handler on the stack, so a reply that arrives while an inner handler runs or waits is used only when the inner handler has
 *       returned. {@link PoolConfig#nestingMax} bounds the depth.
 * </ul>
 * <p>After a nested wait the handler does not own its handle any more. {@link Handle#close}, and the close after an exception of the
 * handler, are carried out when no thread processes the handle. A service that wants no events of the handle during the wait deactivates
 * the handle, or pauses its connection, before it waits.
 *
 * @param <T> type of a successful reply
 */
public final class Reply<T> {
    /** Marks a reply completed with null; a null {@code outcome} means "not completed". */
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

    /** Written once, before {@code waiter} is read. A waiting thread writes {@code waiter}, then reads this: one sees the other's write. */
    private volatile Object outcome;

    private volatile Member waiter;

    /** Null if no future was requested. A requesting thread writes it, then reads {@code outcome}; a completing thread does the reverse. */
    private volatile CompletableFuture<T> future;

    Reply(ReplyWait waits) {
        this.waits = waits;
    }

    /** Any thread. Completes the reply and wakes its waiter, no other thread. Returns false, without effect, if it was completed before. */
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

    /** Any thread. Cancels the reply ({@link CancellationException}), not the operation behind it. Returns false like {@link #complete}. */
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
     * Any thread. Returns a new future that completes when the reply does: with the value, the cause of the failure or a {@link
     * CancellationException}. Dependent actions without an executor run on the thread that completes the reply, perhaps a thread of the
     * pool. Completing or cancelling the future does not affect the reply.
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

    /** Any thread. Like {@link #complete}, for a caller that holds a lock and calls {@link #wakeWaiter} after it has released the lock. */
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
            CompletableFuture<T> stage = future; // done last: dependent actions must not delay the waiter
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
     * Waits and takes part in the pool (see above). If the thread runs another handler when the time is up or the reply arrives, the
     * handler runs to its end first. An interrupt does not end the wait; its status is set again when the thread leaves the pool. Further
     * calls return the value at once.
     *
     * @throws ExecutionException if the reply failed; the failure is its cause
     * @throws CancellationException if the reply was cancelled
     * @throws TimeoutException if the time is up; the reply is still pending, and may be waited for again
     * @throws PoolStoppedException if the pool stops first, gracefully or not: a stopping pool waits for no events
     * @throws NestingLimitException if the thread has {@link PoolConfig#nestingMax} nested waits already
     * @throws IllegalStateException if another thread or an outer handler of the calling thread waits for this reply already; if the
     *     handler must not wait ({@link EventHandler#beforeNestedWait}); or if the caller is a virtual thread, which sleeps because it
     *     cannot take part, and the pool has no threads of its own
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

    /** Announces that the calling thread will check {@link #isDone} before it rests. */
    void announce(Member member) {
        if (!WAITER.compareAndSet(this, null, member)) {
            throw new IllegalStateException("this reply is waited for already, by " + waiter);
        }
    }

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
