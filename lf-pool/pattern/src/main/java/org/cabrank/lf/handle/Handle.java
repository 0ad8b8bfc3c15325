package org.cabrank.lf.handle;

import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.Executor;
import org.cabrank.lf.dispatch.Dispatcher;
import org.cabrank.lf.dispatch.HandleState;
import org.cabrank.lf.failure.StackRoom;

/**
 * A registered descriptor (POSA2: Handle). It has an event handler, a claim and a timer. Any thread may call a method unless its comment
 * names the caller.
 *
 * <p>The handler of an <em>iterative</em> handle is called by one thread at a time. The handler of a <em>concurrent</em> handle may be
 * called by several threads at the same time, each with its own event. This suits a datagram socket or a listener, because the kernel gives
 * each reader its own datagram or connection. The order of the events is not kept. A concurrent handle stays armed for edges while it is
 * processed, even in a set that disarms its handles. It is closed when the last thread has left its handler.
 *
 * <p>The kernel reports an event with the handle's {@link #key} and not with the bare descriptor. If an event was harvested before its
 * handle was closed, the generation in the key shows that the event does not belong to the next handle in the slot.
 * <pre>
 *  63            32 31             0
 * +----------------+----------------+
 * |   generation   |      slot      |
 * +----------------+----------------+
 * </pre>
 */
@SuppressWarnings("exports") // the superclass has no API; dispatch needs its state in the same object
public abstract class Handle extends HandleState {
    public static final long NO_DEADLINE = Dispatcher.NO_DEADLINE;

    private final HandleSet set;
    private final EventHandler handler;

    protected Handle(HandleSet set, EventHandler handler) {
        this(set, handler, false);
    }

    protected Handle(HandleSet set, EventHandler handler, boolean concurrent) {
        this(set, handler, concurrent, 0);
    }

    /** {@code alsoWhenDetained} bits are dispatched even during offloaded work, so the handler must not call user code for them. */
    protected Handle(HandleSet set, EventHandler handler, boolean concurrent, int alsoWhenDetained) {
        super(concurrent, alsoWhenDetained);
        this.set = set;
        this.handler = handler;
    }

    public final long key() {
        return Dispatcher.key(this);
    }

    public final HandleSet handleSet() {
        return set;
    }

    public final EventHandler handler() {
        return handler;
    }

    public final boolean isConcurrent() {
        return Dispatcher.isConcurrent(this);
    }

    /** Returns true if a thread runs the handler. If false, none runs it before the caller dispatches the handle. Called by the leader. */
    protected final boolean isHeld() {
        return Dispatcher.isHeld(this);
    }

    public final boolean isHeldByCaller() {
        return set.dispatcher.isHeldByCaller(this);
    }

    /**
     * Makes a thread call the handler with {@code ready} soon. Several posts before that call are merged. If the handler itself posts, it
     * is called again after it has returned. For a concurrent handle, another thread may make this call earlier. If the handle is closed,
     * this does nothing.
     *
     * @throws IllegalArgumentException if {@code ready} is 0 or has bits that are not in {@link Ready}
     */
    public final void post(int ready) {
        StackRoom.requireHalf(); // an overflow below would leave the handle marked as posted, but never dispatched
        set.dispatcher.post(this, ready);
    }

    /**
     * Closes the handle and its descriptor, and then calls {@link EventHandler#handleClosed}. This happens at once if the handler of an
     * iterative handle calls this. Otherwise it happens as soon as no thread processes the handle. From now on, no further thread enters
     * the handler of a concurrent handle. A second call does nothing.
     */
    public final void close() {
        StackRoom.requireHalf();
        set.dispatcher.close(this);
    }

    /** Closes the handle with a cause as soon as no thread processes it. */
    protected final void closeLater(Throwable cause) {
        StackRoom.requireHalf();
        set.dispatcher.closeLater(this, cause);
    }

    /**
     * Like {@link #close}, but passes {@code cause} to {@link EventHandler#handleClosed}. If several threads inside a concurrent handle
     * call this, the first cause is used. Throws IllegalStateException if the caller does not run this handle's handler.
     */
    public final void closeBecauseOf(Throwable cause) {
        StackRoom.requireHalf();
        set.dispatcher.closeBecauseOf(this, cause);
    }

    /**
     * Gives slow work to {@code executor}. When the work is done, a thread of the pool runs {@code continuation}. No thread of the pool
     * waits for the work. The handle stays claimed until the continuation has returned. Its events, posts and timer are kept until then.
     * Called by the handler.
     *
     * <p>In this way a handler becomes Half-Sync/Half-Async (POSA2). {@link org.cabrank.lf.OffloadExecutors} has suitable executors.
     * <ul>
     *   <li>If the work throws, {@link Continuation#failed} is called. Its default closes the handle with this cause.
     *   <li>If any thread calls {@link #close} during the work, or the handler throws after this call, the handle is closed at once. The
     *       work continues, but its result is dropped and counted. {@linkplain #offload(Executor, CancellableWork, Continuation)
     *       Cancellable} work is interrupted.
     *   <li>If the handle is deactivated during the work, the continuation also waits for the reactivation.
     *   <li>If the pool stops gracefully during the work, it waits for the work and runs the continuation. {@code stopNow} does not wait.
     *   <li>If the executor runs the work in the calling thread, the continuation runs after the handler has returned.
     *   <li>If the executor drops work that it has accepted, the handle stays detained until it is closed.
     * </ul>
     * @throws java.util.concurrent.RejectedExecutionException if the executor throws it. Any other exception of the executor is also
     *     thrown. If the work has not begun, the handler can continue as if it had not called this method
     * @throws IllegalStateException if the caller does not run this handle's handler, if earlier offloaded work is not done yet, if the
     *     handle is closed, or if the handle is concurrent
     */
    public final <T> void offload(Executor executor, Callable<? extends T> work, Continuation<? super T> continuation) {
        Objects.requireNonNull(work, "work");
        offload(executor, never -> work.call(), null, continuation);
    }

    /** Offloads work that is cancelled if the handle is closed before the work is done. See {@link CancellableWork}. */
    public final <T> void offload(
            Executor executor, CancellableWork<? extends T> work, Continuation<? super T> continuation) {
        Objects.requireNonNull(work, "work");
        offload(executor, work, new Cancellation(), continuation);
    }

    private <T> void offload(
            Executor executor,
            CancellableWork<? extends T> work,
            Cancellation cancellation,
            Continuation<? super T> continuation) {
        Objects.requireNonNull(executor, "executor");
        Objects.requireNonNull(continuation, "continuation");
        if (isConcurrent()) {
            throw new IllegalStateException(
                    this + " is concurrent: there is no order to resume, so give the work to the" + " executor itself");
        }
        if (!isHeldByCaller()) {
            throw new IllegalStateException("only the handler of a handle may hand its work away");
        }
        StackRoom.require(); // after an overflow below, a graceful stop would wait for work that was never handed over
        Offload<T> handedAway = new Offload<>(this, work, cancellation, continuation);
        if (!set.dispatcher.detain(this, handedAway)) {
            throw new IllegalStateException(
                    this + (isClosed() ? " is closed" : " has handed work away before, which is not done yet"));
        }
        try {
            executor.execute(handedAway);
        } catch (Throwable refusal) {
            if (handedAway.cancel()) {
                set.dispatcher.undoDetain(this);
            }
            throw refusal;
        }
    }

    public final boolean isClosed() {
        return Dispatcher.isClosed(this);
    }

    /**
     * Makes a thread call the handler with {@link Ready#TIMER} when the set's clock ({@link HandleSet#nanoTime}) has passed {@code
     * deadlineNs}. This replaces the handle's previous deadline. {@link #NO_DEADLINE} cancels the deadline.
     */
    public final void scheduleTimer(long deadlineNs) {
        set.dispatcher.schedule(this, deadlineNs);
    }

    @Override
    protected boolean isCalledLast() {
        return false;
    }

    @Override
    protected boolean hasDescriptor() {
        return true;
    }

    @Override
    protected final void callHandler(int ready) throws Exception {
        handler.handleEvent(this, ready);
    }

    @Override
    protected final void notifyClosed(Throwable cause) {
        handler.handleClosed(this, cause);
    }

    @Override
    protected final void notifyNestedWait() {
        handler.beforeNestedWait(this);
    }

    @Override
    protected final Class<?> handlerClass() {
        return handler.getClass();
    }

    /** Returns the descriptor and the type, for messages. */
    @Override
    public abstract String toString();
}
