package org.cabrank.lf.dispatch;

import org.cabrank.lf.leadership.StopCheck;

/** The pool that serves a handle set, as dispatch sees it. Any thread may call any method. */
public interface ServingPool extends StopCheck {
    /** Returns the member of the calling thread; null if it takes no part in the pool. */
    ProcessingThread currentThread();

    /** Makes all leaders check their state. Called when a handler has run out of stack or memory, perhaps in the middle of a wake-up. */
    void wakeLeaders();

    boolean isTerminated();

    String name();

    int indexOf(Dispatcher set);
}
