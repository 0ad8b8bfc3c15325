package org.cabrank.lf.handle;

/**
 * A flag that offloaded work ({@link CancellableWork}) polls between steps: set when the handle or connection that offloaded the work has
 * ended. The thread that does the work is also interrupted once. Any thread may call any method.
 */
public final class Cancellation {
    private volatile boolean cancelled;

    /** Thread that does the work. It is interrupted under the monitor, so that no interrupt arrives after the end of the work. */
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

    /** Called by the worker. Returns false if the work must not begin. If it returns true, {@link #end} must follow. */
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
