package org.cabrank.lf.handle;

/** The way in which a handle is kept from being dispatched twice while it is being processed. */
public enum Deactivation implements Choice {
    /**
     * The handle stays armed, edge-triggered, and carries an atomic claim. A leader that meets a claimed handle notes
     * that there is more; the thread that has the claim goes round again. No system call per event.
     */
    CLAIM("the handle stays armed and carries a claim, without a system call"),
    /** The kernel disarms the handle when it reports it, and it is re-armed after processing: one call per event. */
    ONESHOT("the kernel disarms the handle, which is re-armed by a system call");

    private final String description;

    Deactivation(String description) {
        this.description = description;
    }

    @Override
    public String label() {
        return Choice.label(this);
    }

    @Override
    public String description() {
        return description;
    }
}
