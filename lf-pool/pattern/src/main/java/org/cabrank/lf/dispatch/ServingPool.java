package org.cabrank.lf.dispatch;

import org.cabrank.lf.leadership.StopCheck;

/** Questions of dispatch to the pool that serves its handle set. Any thread may ask. */
public interface ServingPool extends StopCheck {
    /** Returns the calling thread as a member, or null. */
    ProcessingThread currentThread();

    /** Makes all leaders check their state: a handler has run out of stack or memory, perhaps while it woke a leader. */
    void wakeLeaders();

    boolean isTerminated();

    String name();

    int indexOf(Dispatcher set);
}
