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
 * <p>An <em>iterative</em> handle has its handler called by one thread at a time. That of a <em>concurrent</em> handle is
 * called by as many threads as have events for it, and must be fit for that: a datagram socket, a listener, where the
 * kernel gives each reader something of its own and nothing is to be kept in order. Such a handle is not deactivated while
 * it is processed, stays armed for edges even in a set that disarms its handles, and is closed when the last thread has
 * left its handler.
 *
 * <p>Its {@link #key} is what the kernel hands back with an event: slot and generation, never a bare descriptor, so that
 * an event that was harvested before the handle was closed is distinguished from an event of the handle's successor in that slot.
 *
 * <pre>
 *  63            32 31             0
 * +----------------+----------------+
 * |   generation   |      slot      |
 * +----------------+----------------+
 * </pre>
 */
@SuppressWarnings("exports") // nothing of the superclass is API: dispatch needs its state in the same object
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

    /**
     * @param alsoWhenDetained {@link Ready} bits that a reactor's own handler is called for even while it has handed work away
     *     ({@link #offload}), because nothing of the service is called then
     */
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

    /** Returns true if several threads may run this handle's handler at once. */
    public final boolean isConcurrent() {
        return Dispatcher.isConcurrent(this);
    }

    /** Watcher: returns true if a thread runs this handle's handler. If not, none does until the watcher dispatches the handle. */
    protected final boolean isHeld() {
        return Dispatcher.isHeld(this);
    }

    /** Returns true if the calling thread runs this handle's handler at this moment. */
    public final boolean isHeldByCaller() {
        return set.dispatcher.isHeldByCaller(this);
    }

    /**
     * Any thread: has the handler called with {@code ready} as soon as may be; posts that come before the call are merged
     * into one. Inside the handler: the handler is called again after it returns, that of a concurrent handle perhaps
     * sooner and by another thread. Without effect on a closed handle.
     *
     * @throws IllegalArgumentException when {@code ready} is 0 or has other bits than those of {@link Ready}
     */
    public final void post(int ready) {
        StackRoom.requireHalf(); // during a post, the handle would be noted and never dispatched
        set.dispatcher.post(this, ready);
    }

    /**
     * Any thread: closes the handle and its descriptor. Inside the handler at once, from elsewhere as soon as no thread
     * processes it. A concurrent handle is closed, even from inside, when the last thread has left its handler; no thread
     * enters it from now on. {@link EventHandler#handleClosed} follows. Closing twice has no effect.
     */
    public final void close() {
        StackRoom.requireHalf();
        set.dispatcher.close(this);
    }

    /** Any thread: as {@link #close} from elsewhere, with a cause. */
    protected final void closeLater(Throwable cause) {
        StackRoom.requireHalf();
        set.dispatcher.closeLater(this, cause);
    }

    /**
     * Inside the handler: closes as {@link #close} does, and hands {@code cause} to {@link EventHandler#handleClosed}. Of
     * several causes, given by threads inside a concurrent handle, the first counts.
     *
     * @throws IllegalStateException when the caller does not run this handle's handler
     */
    public final void closeBecauseOf(Throwable cause) {
        set.dispatcher.closeBecauseOf(this, cause);
    }

    /**
     * Inside the handler: hands something slow to {@code executor}, and continues the handler on a thread of the pool
     * when it is done. Until then the handle stays claimed though the handler returns: what becomes ready, is posted or
     * expires is kept, and delivered in its order after {@code continuation} has returned. No thread of the pool waits, so a
     * pool of few threads can have much slow work under way.
     *
     * <p>This is the way from Leader/Followers to Half-Sync/Half-Async (POSA2) for one handler, without rewriting it: the
     * synchronous half is the executor, the asynchronous half is the pool, and the queue between them is the executor's; the
     * handler goes on where it was, with the same guarantees as before. {@link org.cabrank.lf.OffloadExecutors} has executors
     * that are fit for it.
     *
     * <ul>
     *   <li>Work that throws: {@link Continuation#failed}, which by default closes the handle with that cause.
     *   <li>{@link #close} during the work, by any thread, or a handler that throws after this call: the handle is closed at
     *       once, and the work, which is not interrupted, is done for nothing; its result is dropped and counted. Work that is
     *       to end then is {@linkplain #offload(Executor, CancellableWork, Continuation) cancellable}.
     *   <li>{@link org.cabrank.lf.LeaderFollowersPool#deactivateHandle} during the work: the continuation waits for the
     *   reactivation as well.
     *   <li>{@link org.cabrank.lf.LeaderFollowersPool#stop} during the work waits for the work and processes the continuation;
     *       {@link org.cabrank.lf.LeaderFollowersPool#stopNow} does not.
     *   <li>An executor that runs the work in the calling thread is served: the continuation follows the handler's return.
     *   <li>An executor that drops what it has accepted leaves the handle detained until it is closed.
     * </ul>
     *
     * @throws java.util.concurrent.RejectedExecutionException when the executor throws it, as whatever else it throws; the
     *     handler goes on as if it had not called, unless the work has begun nonetheless
     * @throws IllegalStateException when the caller does not run this handle's handler, when work that was handed away before
     *     is not done yet, when the handle is closed, or when it is concurrent: its handler keeps nobody from entering, so
     *     there is nothing to resume
     */
    public final <T> void offload(Executor executor, Callable<? extends T> work, Continuation<? super T> continuation) {
        Objects.requireNonNull(work, "work");
        offload(executor, never -> work.call(), null, continuation);
    }

    /**
     * As {@link #offload(Executor, Callable, Continuation)}, with work that is notified when the handle is closed
     * before the work is done: see {@link CancellableWork}.
     */
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
        StackRoom.require(); // a graceful stop would wait for work that was only half offloaded
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
     * Any thread: calls the handler with {@link Ready#TIMER} once the set's clock has passed {@code deadlineNs}
     * ({@link HandleSet#nanoTime}), which replaces an earlier deadline; {@link #NO_DEADLINE} cancels.
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

    /** The descriptor and what it is, for messages. */
    @Override
    public abstract String toString();
}
