package org.cabrank.lf.observe;

/**
 * Costs of passing leadership on in a pool since its start; all 0 but the first two with one thread. Two of them make a {@link Contention}.
 *
 * @param atNs when it was read, by the pool's clock
 * @param processed calls of handlers
 * @param handOvers leaderships that followers were given, by a leader or, at a takeover, by the watcher
 * @param handOverWaitNs sum of the times in which nobody watched because of that: from each such gift until the follower had woken up
 * @param failedTakeovers of a watcher that found the leader slow, and was overtaken by its return
 * @param wakeups of followers that slept: each a system call, mostly
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
