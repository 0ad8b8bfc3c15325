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
 * The handles that one leader at a time watches (POSA2: Handle Set). Users register handles and read counts. A backend implements the
 * protected methods and a {@link Harvest}. Any thread may call a method unless its comment names the caller.
 */
@SuppressWarnings("exports") // the superclass is the interface of dispatch, which does not know this class
public abstract class HandleSet extends BackendCalls<Handle> implements AutoCloseable {
    public static final long FOREVER = Deadlines.FOREVER;

    /** Maximum number of events that one wait fetches. The next wait fetches the rest. A larger number would delay the first event. */
    public static final int HARVEST_MAX = Dispatcher.HARVEST_MAX;

    final Dispatcher dispatcher;

    private final Deactivation deactivation;
    private final FailureLog failures = new FailureLog(getClass());
    private final LongAdder queueFull = new LongAdder();
    private final LongAdder kernelRetries = new LongAdder();

    @SuppressWarnings("this-escape") // dispatch does not call the set before a pool is made for it
    protected HandleSet(Deactivation deactivation) {
        this.deactivation = Objects.requireNonNull(deactivation, "deactivation");
        this.dispatcher = new Dispatcher(this, deactivation == Deactivation.ONESHOT, failures);
    }

    // ---- what a backend implements ----

    /** Called by the pool. Returns a way to wait in this set for at most {@link #HARVEST_MAX} events at a time. */
    @Override
    protected abstract Harvest newHarvest();

    /** Ends the present {@link Harvest#await} of this set. If no thread waits now, ends the next wait. */
    @Override
    protected abstract void interruptAwait();

    /** Arms the handle again. Called by the claim holder if the set uses {@link Deactivation#ONESHOT}. */
    @Override
    protected abstract void rearm(Handle handle) throws IOException;

    /** Closes the descriptor of a handle that has left the set. Called by the claim holder. */
    @Override
    protected abstract void closeDescriptor(Handle handle);

    /**
     * Called before a pool of at most {@code threads} threads serves the set. {@code eager} is true if the pool promotes a follower before
     * each event. If such a pool cannot serve the set, throws an IllegalArgumentException whose message has a remedy.
     */
    @Override
    protected void requireServable(int threads, boolean eager) {}

    /**
     * Submits the requests of handlers that the reactor has collected for the next wait. Called by a thread that has processed an event of
     * this set and will not wait in the set next, and by a thread that took over from a deposed leader. The default does nothing.
     */
    @Override
    protected void submitRequests() {}

    /** Ends requests that only the last thread can end. Called by this thread before it leaves the pool and before {@link #close}. */
    @Override
    protected void lastWatcherLeaves() {}

    /**
     * Returns true if the requests of a leader stay with its thread, so that events cost more while another thread leads. In this case one
     * thread is the set's regular leader under deferred promotion. It leads again whenever its handler has returned, and it is the last
     * thread that leaves the pool. The promotion order chooses only its deputies. The default is false. Called once, when the pool is made.
     */
    @Override
    protected boolean prefersOneLeader() {
        return false;
    }

    /**
     * Called by each leader when its turn begins, if the set {@linkplain #prefersOneLeader prefers one leader} and promotion is deferred.
     * The leader cannot be deposed before this returns. {@code regular} is true for the regular leader, and false for a deputy.
     */
    @Override
    protected void turnBegins(boolean regular) {}

    /** Called by a deputy when it has ended its turn and all claims of the turn, even if {@link #turnBegins} has thrown. */
    @Override
    protected void deputyEnds() {}

    /** Prepares a thread that the pool has started. Called by this thread before its {@code onThreadStart}. The default does nothing. */
    @Override
    protected void threadBegins() {}

    /** Called by the watcher before its first check. The watcher starts the threads that a pool adds. The default does nothing. */
    @Override
    protected void watcherBegins() {}

    /**
     * Returns a probe, which any thread may call. It is true while the thread that has called this method is neither running nor runnable.
     * So the watcher can replace a blocked leader sooner. The default probe is always true. Called once by each thread of a pool.
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

    /** Gives the handle its key, before it is registered with the kernel. */
    protected final void admit(Handle handle) {
        dispatcher.admit(handle);
    }

    /** Like {@link #admit}, but keeps events back until {@link #activate}, so no handler closes the descriptor during its registration. */
    protected final void admitInactive(Handle handle) {
        dispatcher.admitInactive(handle);
    }

    /** Begins to dispatch the handle, now that it is registered with the kernel. */
    protected final void activate(Handle handle) {
        dispatcher.activate(handle);
    }

    /**
     * Undoes {@link #admit} without a call of the handler. Used if the kernel has refused the handle, so that it was never dispatched. Also
     * used by the claim holder, if the descriptor and the handler move to another handle.
     */
    protected final void dismiss(Handle handle) {
        dispatcher.dismiss(handle);
    }

    /**
     * Registers a handle without a descriptor. Messages call it {@code name}. Its handler is called for posts and for its timer. Throws
     * IllegalStateException if the set is closed.
     */
    public final Handle registerVirtual(String name, EventHandler handler) {
        return registerVirtual(name, handler, false);
    }

    /** Like {@link #registerVirtual}, but the last thread of a pool that stops gracefully calls the handler with {@link Ready#POSTED}. */
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

    /** Returns the handle with this key, or null if the handle has left the set. */
    protected final Handle lookup(long key) {
        return (Handle) dispatcher.lookup(key);
    }

    /** Returns a copy of the present handles. */
    public final List<Handle> handles() {
        return dispatcher.handles().stream().map(Handle.class::cast).toList();
    }

    public final int handleCount() {
        return dispatcher.handleCount();
    }

    public final FailureLog failures() {
        return failures;
    }

    /** Adds 1 to {@link #queueFullCount}. */
    public final void noteQueueFull() {
        queueFull.increment();
    }

    /** Number of tasks and writes that a bounded queue has refused. */
    public final long queueFullCount() {
        return queueFull.sum();
    }

    /** Adds 1 to {@link #kernelRetryCount}. */
    public final void noteKernelRetry() {
        kernelRetries.increment();
    }

    /** Number of times that the kernel refused a wait or a submission, and the thread tried again. */
    public final long kernelRetryCount() {
        return kernelRetries.sum();
    }

    /** Number of events that the kernel has reported. The latest events may be missing. */
    public final long detectedCount() {
        return dispatcher.detectedCount();
    }

    /**
     * Ends the leader's wait, so that the leader notices a change. Several calls during one wait cost one system call. If a call throws,
     * because stack or memory is short or the kernel refuses it, the wait may continue until the next call.
     */
    public final void wakeup() {
        dispatcher.wakeup();
    }

    /**
     * Clears the interrupt status between two callbacks of the service, so that the second callback does not see it. The status is set
     * again when the thread leaves the pool. For a thread outside the pool, this does nothing.
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

    /** @hidden */
    public final Dispatcher dispatcher() {
        return dispatcher;
    }

    /** Closes every handle and the set. From now on the set refuses new handles. Called when no thread leads or processes any more. */
    @Override
    public void close() {
        dispatcher.close();
    }
}
