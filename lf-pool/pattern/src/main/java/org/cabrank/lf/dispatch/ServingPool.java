package org.cabrank.lf.dispatch;

import org.cabrank.lf.leadership.StopCheck;

/** The questions of dispatch to the pool that serves its handle set. Any thread may ask. */
public interface ServingPool extends StopCheck {
    ProcessingThread currentThread();

    /** Has all leaders look: a handler has run out of stack or memory, perhaps amid the wake-up of one. */
    void wakeLeaders();

    String name();

    int indexOf(Dispatcher set);
}
