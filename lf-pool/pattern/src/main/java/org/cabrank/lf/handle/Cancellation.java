package org.cabrank.lf.handle;

/**
 * Tells offloaded work ({@link CancellableWork}), which polls it between steps, that the handle or connection that offloaded it has ended.
 * The thread that does the work is interrupted once as well. Any thread.
 */
public final class Cancellation {
    private volatile boolean cancelled;

    /** Thread that does the work. Interrupted under the monitor, so that no interrupt arrives after the work. */
    private Thread worker;

    Cancellation() {}

    /** Returns true if the result will be dropped. Never false again. */
    public boolean isCancelled() {
        return cancelled;
    }

    synchronized void cancel() {
        cancelled = true;
        if (worker != null) {
            worker.interrupt();
        }
    }

    /** Called by the worker. Returns false if the work must not begin; else {@link #end} must follow. */
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
