package org.cabrank.lf.handle;

import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.Executor;
import org.cabrank.lf.dispatch.Dispatcher;
import org.cabrank.lf.dispatch.HandleState;
import org.cabrank.lf.failure.StackRoom;

/**
 * A registered descriptor (POSA2: Handle): its event handler, its claim and its timer.
 *
 * <p>One thread at a time calls the handler of an <em>iterative</em> handle. Several threads at once, each with an event, may call the
 * handler of a <em>concurrent</em> handle, for instance a datagram socket or listener, where the kernel gives each reader its own datagram
 * or connection, in no order. A concurrent handle stays armed for edges while it is processed, even in a set that disarms its handles. It
 * is closed when the last thread has left its handler.
 *
 * <p>The kernel hands back {@link #key} with an event, never a bare descriptor: the generation distinguishes an event harvested before the
 * close from an event of the slot's next handle.
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

    /** {@code alsoWhenDetained}: {@link Ready} bits dispatched even during offloaded work; the handler must not call user code for them. */
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

    /** Called by the watcher: true if a thread runs the handler. If false, this cannot change until the watcher dispatches the handle. */
    protected final boolean isHeld() {
        return Dispatcher.isHeld(this);
    }

    public final boolean isHeldByCaller() {
        return set.dispatcher.isHeldByCaller(this);
    }

    /**
     * Any thread: has the handler called with {@code ready} soon. Posts before the call are merged. A post by the handler itself causes a
     * further call after it returns; on a concurrent handle, another thread may make this call earlier. Without effect on a closed handle.
     *
     * @throws IllegalArgumentException if {@code ready} is 0 or has bits not in {@link Ready}
     */
    public final void post(int ready) {
        StackRoom.requireHalf(); // an overflow below would leave the handle marked as posted, but never dispatched
        set.dispatcher.post(this, ready);
    }

    /**
     * Any thread: closes the handle and its descriptor. A call by the handler closes it at once, any other call as soon as no thread
     * processes it. A concurrent handle is always closed when the last thread has left its handler, and no thread enters from now on.
     * {@link EventHandler#handleClosed} follows. Closing twice has no effect.
     */
    public final void close() {
        StackRoom.requireHalf();
        set.dispatcher.close(this);
    }

    /** Any thread: closes the handle, with a cause, as soon as no thread processes it. */
    protected final void closeLater(Throwable cause) {
        StackRoom.requireHalf();
        set.dispatcher.closeLater(this, cause);
    }

    /**
     * Called by the handler: does {@link #close}, and hands {@code cause} to {@link EventHandler#handleClosed}. If several threads inside a
     * concurrent handle call this, the first cause is used. Throws IllegalStateException if the caller does not run this handle's handler.
     */
    public final void closeBecauseOf(Throwable cause) {
        set.dispatcher.closeBecauseOf(this, cause);
    }

    /**
     * Called by the handler: hands slow work to {@code executor}, and continues the handler on a thread of the pool when the work is done.
     * Until then the handle stays claimed though the handler returns: events, posts and the timer are noted, and delivered in order after
     * {@code continuation} has returned. No thread of the pool waits.
     *
     * <p>This turns one handler from Leader/Followers to Half-Sync/Half-Async (POSA2) without rewriting it: the executor is the synchronous
     * half, the pool the asynchronous half, and the executor's queue is between them. {@link org.cabrank.lf.OffloadExecutors} has fitting
     * executors.
     * <ul>
     *   <li>If the work throws, {@link Continuation#failed} is called, which by default closes the handle with this cause.
     *   <li>If any thread calls {@link #close} during the work, or the handler throws after this call, the handle is closed at once. The
     *       work is not interrupted (unless it is {@linkplain #offload(Executor, CancellableWork, Continuation) cancellable}); its result
     *       is dropped and counted.
     *   <li>{@link org.cabrank.lf.LeaderFollowersPool#deactivateHandle} during the work: the continuation also waits for the reactivation.
     *   <li>{@link org.cabrank.lf.LeaderFollowersPool#stop} during the work waits for the work and runs the continuation; {@link
     *       org.cabrank.lf.LeaderFollowersPool#stopNow} does not.
     *   <li>If the executor runs the work in the calling thread, the continuation follows when the handler has returned.
     *   <li>If the executor drops work that it has accepted, the handle stays detained until it is closed.
     * </ul>
     * @throws java.util.concurrent.RejectedExecutionException if the executor throws it; any other exception of the executor is thrown,
     *     too. The handler can continue as if it had not called, unless the work has begun nonetheless
     * @throws IllegalStateException if the caller does not run this handle's handler, earlier offloaded work is not done yet, or the handle
     *     is closed or concurrent (other threads enter its handler, so there is nothing to resume)
     */
    public final <T> void offload(Executor executor, Callable<? extends T> work, Continuation<? super T> continuation) {
        Objects.requireNonNull(work, "work");
        offload(executor, never -> work.call(), null, continuation);
    }

    /** Offloads work that is notified when the handle is closed before the work is done: see {@link CancellableWork}. */
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
     * Any thread: has the handler called with {@link Ready#TIMER} once the set's clock ({@link HandleSet#nanoTime}) has passed {@code
     * deadlineNs}. Replaces the handle's previous deadline; {@link #NO_DEADLINE} cancels it.
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
