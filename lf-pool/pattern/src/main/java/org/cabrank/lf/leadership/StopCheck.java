package org.cabrank.lf.leadership;

/** The phase of a pool as its threads see it. Any thread. */
public interface StopCheck {
    /** Returns true if threads are to leave once everything that was detected is processed. */
    boolean isStopping();

    /** Returns true if threads are to leave after the handler that runs at this moment. */
    boolean isStoppingNow();
}
