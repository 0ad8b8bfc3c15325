package org.cabrank.lf.handle;

/**
 * A flag that offloaded work ({@link CancellableWork}) should check between its steps. The flag is set if the handle or connection that
 * offloaded the work has ended. At that moment the thread that does the work is also interrupted. Any thread may call any method.
 */
public final class Cancellation {
    private volatile boolean cancelled;

    /** Thread that does the work. It is interrupted under the monitor, so that no interrupt arrives after the end of the work. */
    private Thread worker;

    Cancellation() {}

    /** Returns true if the work is cancelled, so its result will be dropped. Cancelled work stays cancelled. */
    public boolean isCancelled() {
        return cancelled;
    }

    synchronized void cancel() {
        cancelled = true;
        if (worker != null) {
            worker.interrupt();
        }
    }

    /** Called by the worker. Returns false if the work must not begin. If this returns true, the worker must call {@link #end} later. */
    synchronized boolean begin() {
        if (!cancelled) {
            worker = Thread.currentThread();
        }
        return !cancelled;
    }

    /** Called by the worker after the work. Clears an interrupt that was meant for the work. */
    synchronized void end() {
        worker = null;
        if (cancelled) {
            Thread.interrupted();
        }
    }
}
