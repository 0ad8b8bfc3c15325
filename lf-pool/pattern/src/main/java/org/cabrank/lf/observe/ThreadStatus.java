package org.cabrank.lf.observe;

/**
 * A thread that takes part in a pool: its present state, and its counters since it joined.
 *
 * @param name of the thread
 * @param state present role
 * @param set index of the handle set that the thread leads or processes an event of; of a follower, the last such, or 0
 * @param owner leadership is this thread's: no other thread watches the set, even while this thread runs a handler. Always true with
 *     one thread
 * @param counters since the thread joined
 */
public record ThreadStatus(String name, ThreadState state, int set, boolean owner, ThreadCounters counters) {}
