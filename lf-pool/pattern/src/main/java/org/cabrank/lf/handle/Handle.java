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
 * <p>One thread at a time calls the handler of an <em>iterative</em> handle. As many threads as have events call that of a
 * <em>concurrent</em> handle, for instance of a datagram socket or listener, where the kernel gives each reader something of its own in no
 * order. A concurrent handle is not deactivated while it is processed, stays armed for edges even in a set that disarms its handles, and is
 * closed when the last thread has left its handler.
 *
 * <p>The kernel hands back {@link #key} with an event, never a bare descriptor: the generation tells an event harvested before the close
 * from an event of the slot's next handle.
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

    /** {@code alsoWhenDetained}: {@link Ready} bits dispatched even during offloaded work, to a handler that calls no user code then. */
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

    /** Watcher: returns true if a thread runs this handle's handler. If not, none does until the watcher dispatches the handle. */
    protected final boolean isHeld() {
        return Dispatcher.isHeld(this);
    }

    public final boolean isHeldByCaller() {
        return set.dispatcher.isHeldByCaller(this);
    }

    /**
     * Any thread: has the handler called with {@code ready} soon; posts before the call are merged. A post by the handler itself has it
     * called again after it returns, or, on a concurrent handle, perhaps sooner and by another thread. Without effect on a closed handle.
     *
     * @throws IllegalArgumentException if {@code ready} is 0 or has bits not in {@link Ready}
     */
    public final void post(int ready) {
        StackRoom.requireHalf(); // during a post, the handle would be noted and never dispatched
        set.dispatcher.post(this, ready);
    }

    /**
     * Any thread: closes the handle and its descriptor; inside the handler at once, elsewhere as soon as no thread processes it. A
     * concurrent handle is closed, even from inside, when the last thread has left its handler; no thread enters from now on.
     * {@link EventHandler#handleClosed} follows. Closing twice has no effect.
     */
    public final void close() {
        StackRoom.requireHalf();
        set.dispatcher.close(this);
    }

    /** Any thread: does {@link #close} as from elsewhere, with a cause. */
    protected final void closeLater(Throwable cause) {
        StackRoom.requireHalf();
        set.dispatcher.closeLater(this, cause);
    }

    /**
     * Inside the handler: does {@link #close}, and hands {@code cause} to {@link EventHandler#handleClosed}. Of several causes from threads
     * inside a concurrent handle, the first counts. Throws IllegalStateException if the caller does not run this handle's handler.
     */
    public final void closeBecauseOf(Throwable cause) {
        set.dispatcher.closeBecauseOf(this, cause);
    }

    /**
     * Inside the handler: hands slow work to {@code executor}, and continues the handler on a thread of the pool when the work is done.
     * Until then the handle stays claimed though the handler returns: what becomes ready, is posted or expires is kept, and delivered in
     * order after {@code continuation} has returned. No thread of the pool waits, so few threads can have much slow work under way.
     *
     * <p>This turns one handler from Leader/Followers to Half-Sync/Half-Async (POSA2) without rewriting it: the executor is the synchronous
     * half, the pool the asynchronous half, and the executor's queue is between them. {@link org.cabrank.lf.OffloadExecutors} has fitting
     * executors.
     * <ul>
     *   <li>Work that throws: {@link Continuation#failed}, which by default closes the handle with that cause.
     *   <li>{@link #close} during the work, by any thread, or a handler that throws after this call: the handle is closed at once. The
     *       work is not interrupted, its result is dropped and counted; {@linkplain #offload(Executor, CancellableWork, Continuation)
     *       cancellable} work can be ended.
     *   <li>{@link org.cabrank.lf.LeaderFollowersPool#deactivateHandle} during the work: the continuation also waits for the reactivation.
     *   <li>{@link org.cabrank.lf.LeaderFollowersPool#stop} during the work waits for the work and processes the continuation;
     *       {@link org.cabrank.lf.LeaderFollowersPool#stopNow} does not.
     *   <li>An executor may run the work in the calling thread: the continuation follows the handler's return.
     *   <li>An executor that drops what it has accepted leaves the handle detained until it is closed.
     * </ul>
     * @throws java.util.concurrent.RejectedExecutionException if the executor throws it, like whatever else it throws; the handler goes on
     *     as if it had not called, unless the work has begun nonetheless
     * @throws IllegalStateException if the caller does not run this handle's handler, earlier offloaded work is not done yet, the handle is
     *     closed, or it is concurrent: other threads enter its handler, so there is nothing to resume
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
     * Any thread: calls the handler with {@link Ready#TIMER} once the set's clock ({@link HandleSet#nanoTime}) has passed
     * {@code deadlineNs}, which replaces an earlier deadline; {@link #NO_DEADLINE} cancels.
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

    /** Descriptor and type, for messages. */
    @Override
    public abstract String toString();
}
