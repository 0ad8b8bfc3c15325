package org.cabrank.lf;

import java.util.concurrent.CancellationException;

/**
 * Tells offloaded work ({@link CancellableWork}) that its result is not wanted any more, because the handle or the connection that
 * offloaded it has ended: for work to poll between steps. The thread that does the work is interrupted once as well. Any thread.
 */
public final class Cancellation {
    private volatile boolean cancelled;

    /** The thread that does the work at present; with the monitor, so that no interrupt comes after the work. */
    private Thread worker;

    Cancellation() {}

    /** Returns true if the result of the work will be dropped. Never false again. */
    public boolean isCancelled() {
        return cancelled;
    }

    /** @throws CancellationException when the result of the work will be dropped */
    public void throwIfCancelled() {
        if (cancelled) {
            throw new CancellationException("the handle that offloaded this work has ended");
        }
    }

    synchronized void cancel() {
        cancelled = true;
        if (worker != null) {
            worker.interrupt();
        }
    }

    /** The worker, before the work; false: it is not to be begun. {@link #end} follows otherwise. */
    synchronized boolean begin() {
        if (!cancelled) {
            worker = Thread.currentThread();
        }
        return !cancelled;
    }

    /** The worker, after the work: an interrupt of it does not reach what the thread does next. */
    synchronized void end() {
        worker = null;
        if (cancelled) {
            Thread.interrupted();
        }
    }
}
