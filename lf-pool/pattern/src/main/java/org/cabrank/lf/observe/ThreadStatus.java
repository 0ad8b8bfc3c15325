package org.cabrank.lf.observe;

/**
 * A thread that takes part in a pool, with its counters since it joined.
 *
 * @param state present role
 * @param set index of the handle set that the thread leads or serves, or has last led or served. It is 0 if there was none
 * @param owner true if the thread has leadership of the set, even while it runs a handler. Always true in a pool of one thread
 * @param processed calls of handlers
 * @param promotions number of times that this thread gave leadership away to process an event or to leave
 * @param takeovers number of times that this thread took over from a leader that processed for too long
 */
public record ThreadStatus(
        String name, ThreadState state, int set, boolean owner, long processed, long promotions, long takeovers) {}
