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
 * The handles that one leader at a time watches (POSA2: Handle Set), with their ready list, timers and posted handles. Users register
 * handles and read counts. A backend implements the protected methods and a {@link Harvest}; the pool uses the set's dispatcher. Any thread
 * may call a method whose comment names no caller.
 */
@SuppressWarnings("exports") // the superclass is the interface of dispatch, which does not know this class
public abstract class HandleSet extends BackendCalls<Handle> implements AutoCloseable {
    public static final long FOREVER = Deadlines.FOREVER;

    /** Named bound: number of events harvested by one wait. The next wait fetches the rest. A larger harvest delays the first event. */
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

    /** Any thread: ends the present {@link Harvest#await} of this set; if no thread is waiting, the next. */
    @Override
    protected abstract void interruptAwait();

    /** Called by the claim holder, with {@link Deactivation#ONESHOT}: arms the handle again. */
    @Override
    protected abstract void rearm(Handle handle) throws IOException;

    /** Called by the claim holder: closes the descriptor of a handle that has left the set. */
    @Override
    protected abstract void closeDescriptor(Handle handle);

    /**
     * Called before a pool of at most {@code threads} threads serves the set. If {@code eager}, the pool promotes a follower before each
     * event. Throws IllegalArgumentException, with the remedy, if this pool cannot serve the set.
     */
    @Override
    protected void requireServable(int threads, boolean eager) {}

    /**
     * Submits requests of handlers that the reactor has gathered for the next wait. Called by a thread that has processed an event of this
     * set and will not wait in it next, or that took over from a deposed leader. The default does nothing.
     */
    @Override
    protected void submitRequests() {}

    /** Called by the last thread before it leaves for good: ends requests that only this thread can end. {@link #close} follows. */
    @Override
    protected void lastWatcherLeaves() {}

    /**
     * Called once, when the pool is made. Returns true if a leader's requests stay with its thread, so that events cost more while another
     * thread leads. Under deferred promotion a thread of the pool then is the set's regular leader until it leaves the pool, as the last
     * thread. It leads again when its handler has returned; the promotion order chooses only the deputies. The default is false.
     */
    @Override
    protected boolean prefersOneLeader() {
        return false;
    }

    /**
     * Called under deferred promotion by each leader of a set that {@linkplain #prefersOneLeader prefers one leader} when its turn begins.
     * The leader cannot be deposed before this returns. {@code regular} is true for the regular leader, false for a deputy, which leads
     * until the regular leader is back.
     */
    @Override
    protected void turnBegins(boolean regular) {}

    /** Called by a deputy when its turn is over and it holds no claim of the turn, even if {@link #turnBegins} has thrown. */
    @Override
    protected void deputyEnds() {}

    /** Prepares a thread that the pool has started. Called by this thread before its {@code onThreadStart}. The default does nothing. */
    @Override
    protected void threadBegins() {}

    /** Called by the watcher before its first check. It may serve other pools too, and starts their added threads. The default is empty. */
    @Override
    protected void watcherBegins() {}

    /**
     * Called once by each thread of a pool. Returns a probe of the calling thread that any thread may call: true while the thread is
     * blocked, neither running nor runnable. The watcher replaces a blocked leader sooner. The default takes each thread for blocked.
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

    /** Does {@link #admit}, but keeps events until {@link #activate}: no handler closes the descriptor while the kernel registers it. */
    protected final void admitInactive(Handle handle) {
        dispatcher.admitInactive(handle);
    }

    /** Begins to dispatch the handle, now that it is registered with the kernel. */
    protected final void activate(Handle handle) {
        dispatcher.activate(handle);
    }

    /**
     * Undoes {@link #admit} without notifying the handler. Used for a handle that the kernel refused and that was never dispatched; also by
     * the claim holder, for a handle whose descriptor and handler move to another handle.
     */
    protected final void dismiss(Handle handle) {
        dispatcher.dismiss(handle);
    }

    /**
     * Registers a handle without a descriptor, called {@code name} in messages. Its handler is called for posts and its timer. The pool
     * treats the handle like a socket's: claims, counts, deactivates and closes it. Throws IllegalStateException if the set is closed.
     */
    public final Handle registerVirtual(String name, EventHandler handler) {
        return registerVirtual(name, handler, false);
    }

    /** Does {@link #registerVirtual}. The last thread of a pool that stops gracefully calls the handler for {@link Ready#POSTED}. */
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

    /** Returns the handle of this key; null if the handle has left the set. */
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

    /** Counts a refusal by a bounded queue that this set serves, for {@link #queueFullCount}. */
    public final void noteQueueFull() {
        queueFull.increment();
    }

    /** Number of refusals by bounded queues (of tasks, of bytes to write). */
    public final long queueFullCount() {
        return queueFull.sum();
    }

    /** Counts a wait or submission that the kernel has refused for the moment, for {@link #kernelRetryCount}. */
    public final void noteKernelRetry() {
        kernelRetries.increment();
    }

    /** Number of waits and submissions that the kernel refused for the moment and that were tried again. */
    public final long kernelRetryCount() {
        return kernelRetries.sum();
    }

    /** Number of events that the kernel has reported. The latest events may be missing. */
    public final long detectedCount() {
        return dispatcher.detectedCount();
    }

    /**
     * Ends the leader's wait, so that the leader notices a change. Several calls during one wait cost one system call. A call that throws,
     * for want of stack or memory or because the kernel refuses, has not ended the wait; the next call does.
     */
    public final void wakeup() {
        dispatcher.wakeup();
    }

    /**
     * Called by a thread between two callbacks of the service. Clears an interrupt status that the first callback has left, because it is
     * not meant for the second. The status is set again when the thread leaves the pool. Without effect for threads outside the pool.
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

    /** Closes every handle and the set itself, which refuses new handles from now on. Called when no thread leads or processes any more. */
    @Override
    public void close() {
        dispatcher.close();
    }
}
