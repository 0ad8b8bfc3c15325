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
 * may call the methods that have no caller named.
 */
@SuppressWarnings("exports") // the superclass is the interface of dispatch, which does not know this class
public abstract class HandleSet extends BackendCalls<Handle> implements AutoCloseable {
    public static final long FOREVER = Deadlines.FOREVER;

    /** Named bound: events harvested by one wait. The next wait fetches more; a larger harvest delays the first event. */
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

    /** Called by the pool. Returns a way to wait in this set for at most {@link #HARVEST_MAX} events at a time. */
    @Override
    protected abstract Harvest newHarvest();

    /** Any thread: ends the present {@link Harvest#await} of this set, or the next if nobody is waiting. */
    @Override
    protected abstract void interruptAwait();

    /** Claim holder, with {@link Deactivation#ONESHOT}: arms the handle again. */
    @Override
    protected abstract void rearm(Handle handle) throws IOException;

    /** Claim holder: closes the descriptor of a handle that has left the set. */
    @Override
    protected abstract void closeDescriptor(Handle handle);

    /**
     * Called before a pool of at most {@code threads} threads serves the set; {@code eager}: the pool promotes a follower before each
     * event. Throws IllegalArgumentException, with the remedy, if such a pool cannot serve the set.
     */
    @Override
    protected void requireServable(int threads, boolean eager) {}

    /**
     * Submits the requests that handlers made and the reactor gathered for the next wait. Called by a thread that has processed an event of
     * this set and does not wait in it next, or that has deposed the leader. The default, for a reactor that gathers nothing, does nothing.
     */
    @Override
    protected void submitRequests() {}

    /** Called by the last thread before it leaves for good: ends requests under way that it alone can end. {@link #close} follows. */
    @Override
    protected void lastWatcherLeaves() {}

    /**
     * Asked once, when the pool is made. True: a leader's requests stay with its thread, so events cost more while another thread leads.
     * Under deferred promotion a thread of the pool's own then is the set's regular leader until it leaves the pool, as the last thread. It
     * leads again when its handler has returned; the promotion order chooses only the deputies. The default is false.
     */
    @Override
    protected boolean prefersOneLeader() {
        return false;
    }

    /**
     * Called under deferred promotion by each leader of a set that {@linkplain #prefersOneLeader prefers one leader} when its turn begins;
     * it cannot be deposed before this returns. {@code regular}: the caller is the regular leader; otherwise it leads until the regular
     * leader is back.
     */
    @Override
    protected void turnBegins(boolean regular) {}

    /** Called by a deputy, even if its {@link #turnBegins} has thrown, when its turn is over and it holds no claim of the turn. */
    @Override
    protected void deputyEnds() {}

    /** Called by a thread that the pool has started, before its {@code onThreadStart}, to prepare the thread. The default does nothing. */
    @Override
    protected void threadBegins() {}

    /** Called by the watcher, which may serve more pools and starts their threads, before its first look. The default does nothing. */
    @Override
    protected void watcherBegins() {}

    /**
     * Called once by each thread of a pool. Returns a probe of that thread for any thread: true while it is blocked, neither running nor
     * runnable. The watcher replaces a blocked leader sooner. The default takes each thread for blocked.
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

    /** Gives the handle its key, before the kernel learns of it. */
    protected final void admit(Handle handle) {
        dispatcher.admit(handle);
    }

    /** Does {@link #admit}, but keeps events for {@link #activate}, so no handler closes the descriptor while the kernel learns of it. */
    protected final void admitInactive(Handle handle) {
        dispatcher.admitInactive(handle);
    }

    /** Begins to dispatch the handle, which the kernel knows now. */
    protected final void activate(Handle handle) {
        dispatcher.activate(handle);
    }

    /**
     * Undoes {@link #admit} without notifying the handler: for a handle that the kernel refused and that was never dispatched; or by the
     * claim holder, for a handle whose descriptor and handler move to another handle.
     */
    protected final void dismiss(Handle handle) {
        dispatcher.dismiss(handle);
    }

    /**
     * Registers a handle without a descriptor, called {@code name} in messages. Its handler is called for posts and its timer, and takes
     * part in a pool like a socket: claimed while it runs, counted, deactivated, closed. Throws IllegalStateException if the set is closed.
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

    /** Returns the handle of this key, or null if it has left. */
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

    /** Number of refusals by bounded queues (tasks, what connections have written). */
    public final long queueFullCount() {
        return queueFull.sum();
    }

    /** Counts a wait or submission that the kernel has refused for now, for {@link #kernelRetryCount}. */
    public final void noteKernelRetry() {
        kernelRetries.increment();
    }

    /** Number of waits and submissions that the kernel refused for now and that were tried again. */
    public final long kernelRetryCount() {
        return kernelRetries.sum();
    }

    /** Number of events that the kernel has reported; a little late for concurrent ones. */
    public final long detectedCount() {
        return dispatcher.detectedCount();
    }

    /**
     * Ends the leader's wait, so that it looks at what has changed. Calls that come together cost one. A call that throws, for want of
     * stack or memory or because the kernel refuses, has not ended the wait; the next call does.
     */
    public final void wakeup() {
        dispatcher.wakeup();
    }

    /**
     * Called by a thread between two callbacks of the service. Clears the interrupt status that the first has left, because it is not for
     * the second. A pool thread gets it back when it leaves the pool. Without effect for other threads.
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

    /** Closes every handle and the set itself, which takes none from now on. Only when no thread leads or processes any more. */
    @Override
    public void close() {
        dispatcher.close();
    }
}
