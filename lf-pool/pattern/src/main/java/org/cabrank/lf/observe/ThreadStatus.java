package org.cabrank.lf.observe;

/**
 * A thread that takes part in a pool, with its counters since it joined.
 *
 * @param state present role
 * @param set index of the handle set that the thread leads or processes an event of; for a follower, the last of these sets, or 0
 * @param owner true if no other thread watches the set, even while this thread runs a handler; always true with one thread
 * @param processed calls of handlers
 * @param promotions hand-overs of leadership by this thread, in order to process an event or to leave
 * @param takeovers takeovers by this thread from a leader that processed for too long
 */
public record ThreadStatus(
        String name, ThreadState state, int set, boolean owner, long processed, long promotions, long takeovers) {}
