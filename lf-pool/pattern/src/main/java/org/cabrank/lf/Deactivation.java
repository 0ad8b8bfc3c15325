package org.cabrank.lf;

/** How a handle is kept from being dispatched twice while it is being processed. */
public enum Deactivation {
    /**
     * The handle stays armed, edge-triggered, and carries an atomic claim. A leader that meets a claimed handle notes
     * that there is more; the thread that has the claim goes round again. No system call per event.
     */
    CLAIM,
    /** The kernel disarms the handle when it reports it, and it is re-armed after processing: one call per event. */
    ONESHOT
}
