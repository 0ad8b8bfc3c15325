package org.cabrank.lf.dispatch;

import org.cabrank.lf.leadership.StopCheck;

/** The part of the serving pool that dispatch uses. Any thread may call any method. */
public interface ServingPool extends StopCheck {
    /** Returns the member of the calling thread, or null if the thread takes no part in the pool. */
    ProcessingThread currentThread();

    /** Makes all leaders check their state, because a handler that ran out of stack or memory may have lost a wake-up. */
    void wakeLeaders();

    boolean isTerminated();

    String name();

    int indexOf(Dispatcher set);
}
