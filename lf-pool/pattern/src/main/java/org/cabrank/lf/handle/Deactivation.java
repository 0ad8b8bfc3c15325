package org.cabrank.lf.handle;

/** The way to prevent a second dispatch of a handle while it is processed. */
public enum Deactivation implements Choice {
    /** The handle stays armed for edges. Events that come while it is processed are noted in its claim, without a system call. */
    CLAIM("the handle stays armed and carries a claim, without a system call"),
    /** The kernel disarms the handle when it reports an event. Re-arming after processing costs one system call per event. */
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
