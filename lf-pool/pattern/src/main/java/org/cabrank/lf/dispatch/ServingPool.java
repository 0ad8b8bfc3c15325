package org.cabrank.lf.dispatch;

import org.cabrank.lf.leadership.StopCheck;

/** The questions of dispatch to the pool that serves its handle set. Any thread may ask. */
public interface ServingPool extends StopCheck {
    /** Returns the calling thread as a member of the pool, or null. */
    ProcessingThread currentThread();

    /** A handler has run out of stack or memory, perhaps amid a post to any set of the pool. Never throws. */
    void makeUpForPosts();

    /** Name of the pool, for recordings. */
    String name();

    /** Index of a handle set among those that the pool serves. */
    int indexOf(Dispatcher set);
}
