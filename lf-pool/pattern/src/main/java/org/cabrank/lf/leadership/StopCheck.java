package org.cabrank.lf.leadership;

/** The phase of a pool. Any thread. */
public interface StopCheck {
    /** True if threads leave once everything that was detected is processed. */
    boolean isStopping();

    /** True if threads leave after the handler that runs at this moment. */
    boolean isStoppingNow();
}
