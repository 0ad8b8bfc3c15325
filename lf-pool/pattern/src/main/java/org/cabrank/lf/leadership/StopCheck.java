package org.cabrank.lf.leadership;

/** The phase of a pool. Any thread may call any method. */
public interface StopCheck {
    /** True if threads leave once all detected events are processed. */
    boolean isStopping();

    /** True if threads leave after the handler that runs at this moment. */
    boolean isStoppingNow();
}
