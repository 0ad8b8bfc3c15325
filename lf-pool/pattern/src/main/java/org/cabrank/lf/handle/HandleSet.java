package org.cabrank.lf.handle;

import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import org.cabrank.lf.dispatch.BackendCalls;
import org.cabrank.lf.dispatch.Dispatcher;
import org.cabrank.lf.dispatch.ProcessingThread;
import org.cabrank.lf.dispatch.ServingPool;
import org.cabrank.lf.failure.FailureLog;
import org.cabrank.lf.leadership.Deadlines;

/**
 * The handles that one leader at a time watches (POSA2: Handle Set), with their ready list, timers and posted handles.
 *
 * <p>Users register handles and read counts. A backend implements the protected methods and a {@link Harvest}. The pool uses neither:
 * it works with the set's dispatcher.
 */
@SuppressWarnings("exports") // the superclass is the interface of dispatch, which does not know this class
public abstract class HandleSet extends BackendCalls<Handle> implements AutoCloseable {
    public static final long FOREVER = Deadlines.FOREVER;

    /** Named bound: events that one wait harvests. More are fetched by the next; a larger harvest delays the first. */
    public static final int HARVEST_MAX = Dispatcher.HARVEST_MAX;

    final Dispatcher dispatcher;

    private final Deactivation deactivation;
    private final FailureLog failures = new FailureLog(getClass());
    private final LongAdder queueFull = new LongAdder();
    private final LongAdder kernelRetries = new LongAdder();

    @SuppressWarnings("this-escape") // dispatch calls the set when a pool is made for it, and not before
    protected HandleSet(Deactivation deactivation) {
        this.deactivation = Objects.requireNonNull(deactivation, "deactivation");
        this.dispatcher = new Dispatcher(this, deactivation == Deactivation.ONESHOT, failures);
    }

    // ---- what a backend implements ----

    /** The pool: a way to wait in this set, {@link #HARVEST_MAX} events at most at a time. */
    @Override
    protected abstract Harvest newHarvest();

    /** Any thread: ends a {@link Harvest#await} of this set: the present one, or the next if nobody is waiting. */
    @Override
    protected abstract void interruptAwait();

    /** Claim holder, with {@link Deactivation#ONESHOT}: arms the handle again. */
    @Override
    protected abstract void rearm(Handle handle) throws IOException;

    /** Claim holder: gives the descriptor back. The handle has left the set already. */
    @Override
    protected abstract void closeDescriptor(Handle handle);

    /**
     * Before a pool serves the set.
     *
     * @param threads maximum number of threads of the pool
     * @param eager true if the pool promotes a follower before each event
     * @throws IllegalArgumentException if a pool of this size or promotion cannot serve the set; the message names the remedy
     */
    @Override
    protected void requireServable(int threads, boolean eager) {}

    /**
     * A thread that has processed an event of this set, and does not wait in it next, or that has deposed the leader: what
     * handlers have asked of the kernel and the reactor has gathered for the next wait is to go to the kernel now. A reactor
     * that gathers nothing does nothing.
     */
    @Override
    protected void submitRequests() {}

    /**
     * The last thread of the pool, before it leaves for good and nobody waits any more: ends the requests under way that only
     * this thread can end. Handles are closed afterwards, by {@link #close}.
     */
    @Override
    protected void lastWatcherLeaves() {}

    /**
     * Asked once, when the pool is made. True: requests that a leader makes stay with its thread, so that events cost more while
     * another thread leads. Under deferred promotion one thread of the pool's own then is the set's regular leader until it leaves
     * the pool, which it does last. Leadership goes back to that thread when its handler has returned, and the
     * promotion order chooses only the deputies. The default is false.
     */
    @Override
    protected boolean prefersOneLeader() {
        return false;
    }

    /**
     * Leader of a set that {@linkplain #prefersOneLeader prefers one leader}, under deferred promotion: its turn begins. It cannot be
     * deposed before this returns.
     *
     * @param regular true: the caller is the regular leader; false: it leads until the regular leader is back
     */
    @Override
    protected void turnBegins(boolean regular) {}

    /** A deputy, also if its {@link #turnBegins} has thrown: its turn is over, and it holds no claim of the turn. */
    @Override
    protected void deputyEnds() {}

    /**
     * A thread that the pool has started, before its {@code onThreadStart}: a backend may prepare the thread. The default
     * does nothing.
     */
    @Override
    protected void threadBegins() {}

    /**
     * The watcher of the pool, before its first look: a backend may prepare the thread. The watcher may serve other pools, too, and starts
     * threads of pools. The default does nothing.
     */
    @Override
    protected void watcherBegins() {}

    /**
     * Returns a probe of the calling thread, which answers true while the thread is blocked: neither running nor runnable. The
     * watcher replaces a blocked leader sooner. Called once by each thread of a pool; the probe may be called
     * by any thread. The default knows nothing of threads, and takes each for blocked.
     */
    @Override
    protected BooleanSupplier newThreadProbe() {
        return () -> true;
    }

    @Override
    public long nanoTime() {
        return System.nanoTime();
    }

    // ---- for backends ----

    /** Any thread: gives the handle its key, before the kernel learns of it. */
    protected final void admit(Handle handle) {
        dispatcher.admit(handle);
    }

    /**
     * Admits the handle like {@link #admit}, but nothing is dispatched before {@link #activate}. Posts and readiness are kept
     * until then, so no handler can run, and none can close the descriptor, while the kernel learns of it. Any thread.
     */
    protected final void admitInactive(Handle handle) {
        dispatcher.admitInactive(handle);
    }

    /** Begins to dispatch the handle, which the kernel knows now. Any thread. */
    protected final void activate(Handle handle) {
        dispatcher.activate(handle);
    }

    /**
     * Undoes {@link #admit}, without a word to the handler: for a handle that the kernel refused and that was never dispatched; or
     * by its claim holder, for a handle whose descriptor and handler move to another handle.
     */
    protected final void dismiss(Handle handle) {
        dispatcher.dismiss(handle);
    }

    /**
     * Registers a handle without a descriptor. Its handler is called for posts and for its timer, and takes part in a pool as a socket
     * does: claimed while it runs, counted, deactivated, closed. Any thread.
     *
     * @param name for messages
     * @throws IllegalStateException when the set is closed
     */
    public final Handle registerVirtual(String name, EventHandler handler) {
        return registerVirtual(name, handler, false);
    }

    /**
     * As {@link #registerVirtual(String, EventHandler)}. The last thread of a pool that stops gracefully calls the handler once more, for
     * {@link Ready#POSTED}.
     */
    public final Handle registerCalledLast(String name, EventHandler handler) {
        return registerVirtual(name, handler, true);
    }

    private Handle registerVirtual(String name, EventHandler handler, boolean calledLast) {
        Handle handle = new VirtualHandle(
                this, Objects.requireNonNull(name, "name"), Objects.requireNonNull(handler, "handler"), calledLast);
        admit(handle);
        return handle;
    }

    public final Deactivation deactivation() {
        return deactivation;
    }

    /** Any thread: the handle of this key, or null when it has left. */
    protected final Handle lookup(long key) {
        return (Handle) dispatcher.lookup(key);
    }

    /** Any thread: a copy of the handles registered now. */
    public final List<Handle> handles() {
        return dispatcher.handles().stream().map(Handle.class::cast).toList();
    }

    public final int handleCount() {
        return dispatcher.handleCount();
    }

    public final FailureLog failures() {
        return failures;
    }

    /** Any thread: counts that a bounded queue that this set serves has refused something, for {@link #queueFullCount}. */
    public final void noteQueueFull() {
        queueFull.increment();
    }

    /** Any thread: how often a bounded queue (tasks, what connections have written) has refused something. */
    public final long queueFullCount() {
        return queueFull.sum();
    }

    /** Any thread: counts that the kernel has refused a wait or a submission for now, for {@link #kernelRetryCount}. */
    public final void noteKernelRetry() {
        kernelRetries.increment();
    }

    /** Any thread: number of waits and submissions that the kernel has refused for now, and that were tried again. */
    public final long kernelRetryCount() {
        return kernelRetries.sum();
    }

    /** Any thread: how many events the kernel has reported; a little late for what other threads do at this moment. */
    public final long detectedCount() {
        return dispatcher.detectedCount();
    }

    /**
     * Any thread: ends the leader's wait, so that it looks at what has changed. Calls that come together cost one. A call that
     * throws, for want of stack or memory or because the kernel refuses, has not ended the wait; the next call does.
     */
    public final void wakeup() {
        dispatcher.wakeup();
    }

    /**
     * Called between two callbacks of the service by the thread that calls them: clears the interrupt status that the first has
     * left, because the status is not for the second. A thread of the pool has the status back when it leaves the pool. Without
     * effect for a thread that is no member of the pool.
     */
    public final void setInterruptAside() {
        if (Thread.currentThread().isInterrupted()) {
            ServingPool pool = dispatcher.pool();
            ProcessingThread me = pool == null ? null : pool.currentThread();
            if (me != null) {
                me.noteInterrupt();
            }
        }
    }

    /**
     * The pool's side of the set, of a package that the module does not export.
     *
     * @hidden
     */
    public final Dispatcher dispatcher() {
        return dispatcher;
    }

    /**
     * Closes every handle and then the set itself, which takes none from now on. Only when no thread leads or processes any
     * more.
     */
    @Override
    public void close() {
        dispatcher.close();
    }
}
