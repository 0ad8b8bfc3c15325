package org.cabrank.lf.dispatch;

import org.cabrank.lf.leadership.StopCheck;

/** The questions of dispatch to the pool that serves its handle set. Any thread may ask. */
public interface ServingPool extends StopCheck {
    /** Returns the calling thread as a member of the pool; null: it does not take part. */
    ProcessingThread currentThread();

    /** Makes all leaders check their state, because a handler has run out of stack or memory, perhaps while it woke a leader. */
    void wakeLeaders();

    boolean isTerminated();

    String name();

    int indexOf(Dispatcher set);
}
