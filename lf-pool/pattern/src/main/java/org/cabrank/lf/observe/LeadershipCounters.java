package org.cabrank.lf.observe;

/**
 * Costs of passing leadership on since a pool's start. In a pool of one thread only the first two figures are not 0.
 *
 * @param atNs time of the reading, by the pool's clock
 * @param processed calls of handlers
 * @param handOvers number of times that a follower was given leadership, including takeovers
 * @param handOverWaitNs sum of the times from a hand-over until the follower had woken up. No thread watched the set in these times
 * @param failedTakeovers takeovers that failed because the slow leader returned from its handler just before the takeover
 * @param wakeups wake-ups of followers. Most of them are a system call
 * @param lockWaits hand-overs and arrivals that had to wait for the lock of the followers
 */
public record LeadershipCounters(
        long atNs,
        long processed,
        long handOvers,
        long handOverWaitNs,
        long failedTakeovers,
        long wakeups,
        long lockWaits) {}
