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
 * A future for handlers. A thread that waits for it in {@link #await} keeps serving the pool: it leads, follows and processes events like
 * the pool's other threads (POSA2, Leader/Followers: bound and hybrid handle/thread associations). So the waiting thread may itself process
 * the event that brings its reply, and a pool still serves while all its threads wait. Any thread may call any method. There are two kinds
 * of waiters:
 * <ul>
 *   <li>A thread that takes no part in the pool joins the pool until the reply arrives. If the pool has no free slot, the thread sleeps,
 *       and joins as soon as another thread leaves.
 *   <li>A thread that processes an event of this pool waits <em>nested</em>. Its handler gives up leadership and its handle, so any thread
 *       may process further events of the handle. The waiting thread may run further handlers meanwhile. If the reply arrives during such
 *       an inner handler, {@code await} returns after it has ended. {@link PoolConfig#nestingMax} limits the nested waits.
 * </ul>
 * <p>After a nested wait the handler no longer owns its handle. If it calls {@link Handle#close} or throws an exception, the handle is
 * closed when no thread processes it. If a service wants no events of the handle during the wait, it deactivates the handle or pauses its
 * connection before it waits.
 *
 * @param <T> type of a successful reply
 */
public final class Reply<T> {
    /** Outcome of a reply that was completed with null. A null {@code outcome} means that the reply is not completed. */
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
     * A completing thread writes this once, and then reads {@code waiter}. A waiting thread writes {@code waiter}, and then reads this. So
     * at least one of the two threads sees the write of the other thread.
     */
    private volatile Object outcome;

    private volatile Member waiter;

    /** Null if no future was requested. Ordered with {@code outcome} in the same way as {@code waiter}. */
    private volatile CompletableFuture<T> future;

    Reply(ReplyWait waits) {
        this.waits = waits;
    }

    /** Completes the reply and wakes the thread that waits for it. Returns false and does nothing if the reply was completed before. */
    public boolean complete(T value) {
        StackRoom.require(); // a waiter that is not woken would wait indefinitely
        boolean first = completeWithoutWaking(value);
        if (first) {
            wakeWaiter();
        }
        return first;
    }

    /** Completes the reply with a failure. Returns false and does nothing if the reply was completed before. */
    public boolean fail(Throwable cause) {
        StackRoom.require();
        boolean first = failWithoutWaking(cause);
        if (first) {
            wakeWaiter();
        }
        return first;
    }

    /**
     * Cancels the reply, so that its waiter gets a {@link CancellationException}. The operation behind the reply continues. Returns false
     * and does nothing if the reply was completed before.
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
     * Returns a new future that completes like the reply. Dependent actions without an executor run on the thread that completes the reply,
     * which may be a thread of the pool. Completing or cancelling the future does not affect the reply.
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

    /** Like {@link #complete}, for a caller that holds a lock. The caller must call {@link #wakeWaiter} after the release of the lock. */
    public boolean completeWithoutWaking(T value) {
        return OUTCOME.compareAndSet(this, null, value == null ? NULL : value);
    }

    /** Like {@link #fail}, but does not wake the waiter. See {@link #completeWithoutWaking}. */
    public boolean failWithoutWaking(Throwable cause) {
        if (cause == null) {
            throw new NullPointerException("cause");
        }
        return OUTCOME.compareAndSet(this, null, new Failure(cause));
    }

    /** Wakes the waiter of a completed reply, and completes the futures of the reply. */
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

    /** Returns true if the reply has a value, has failed or was cancelled. */
    public boolean isDone() {
        return outcome != null;
    }

    /**
     * Waits for the reply, and takes part in the pool meanwhile. If the thread runs another handler when the reply arrives or the time is
     * up, this handler ends first. An interrupt does not end the wait. The interrupt status is set again when the thread leaves the pool.
     *
     * @throws ExecutionException if the reply failed. Its cause is the failure
     * @throws CancellationException if the reply was cancelled
     * @throws TimeoutException if the time is up. The reply is still pending, so the caller may wait for it again
     * @throws PoolStoppedException if the pool stops before the reply arrives
     * @throws NestingLimitException if the thread has {@link PoolConfig#nestingMax} nested waits already
     * @throws IllegalStateException if another thread or an outer handler of the calling thread waits for this reply already, if the
     *     handler must not wait ({@link EventHandler#beforeNestedWait}), or if the caller is a virtual thread and the pool was not started
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

    /** Records {@code member} as the waiter. From now on a thread that completes the reply wakes the member. */
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
