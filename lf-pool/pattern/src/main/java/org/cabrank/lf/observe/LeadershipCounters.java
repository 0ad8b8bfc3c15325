package org.cabrank.lf.observe;

/**
 * Costs of passing leadership on since a pool's start; with one thread all 0 but the first two. Two of them make a {@link Contention}.
 *
 * @param atNs time of the reading, by the pool's clock
 * @param processed calls of handlers
 * @param handOvers leaderships given to followers, by a leader or, at a takeover, by the watcher
 * @param handOverWaitNs sum of the times that nobody watched because of that: until the follower had woken up
 * @param failedTakeovers of a watcher that found the leader slow, and was overtaken by its return
 * @param wakeups of followers that slept, mostly a system call each
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
