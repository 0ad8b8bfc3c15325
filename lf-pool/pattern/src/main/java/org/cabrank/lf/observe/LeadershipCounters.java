package org.cabrank.lf.observe;

/**
 * Costs of passing leadership on since a pool's start; with one thread, 0 after the first two. Two readings give a {@link Contention}.
 *
 * @param atNs time of the reading, by the pool's clock
 * @param processed calls of handlers
 * @param handOvers number of times that a leader or, at a takeover, the watcher gave leadership to a follower
 * @param handOverWaitNs sum of the times from a hand-over until the follower had woken up, in which no thread watched
 * @param failedTakeovers takeovers that failed because the slow leader returned from its handler just before
 * @param wakeups wake-ups of followers, in most cases a system call each
 * @param lockWaits hand-overs and arrivals that found the lock of the followers' line taken
 */
public record LeadershipCounters(
        long atNs,
        long processed,
        long handOvers,
        long handOverWaitNs,
        long failedTakeovers,
        long wakeups,
        long lockWaits) {}
