package org.cabrank.lf.observe;

/**
 * Counts of a pool since it was made, summed over its threads and handle sets. They are read without a lock, so the newest changes may be
 * missing. No count ever falls.
 *
 * @param detected events that the kernel reported
 * @param processed calls of handlers
 * @param eagerPromotions hand-overs to a follower before an event is processed ({@link org.cabrank.lf.Promotion#eager})
 * @param handlerPromotions hand-overs by {@link org.cabrank.lf.LeaderFollowersPool#promoteNewLeader}, even if no thread followed
 * @param leavingPromotions hand-overs to a follower by a leader that left because its time was up, the pool stopped, or it failed
 * @param returnPromotions hand-overs by a deputy to the regular leader ({@link org.cabrank.lf.handle.HandleSet#prefersOneLeader})
 * @param takeovers takeovers from a leader that processed for too long ({@link org.cabrank.lf.Promotion#deferred})
 * @param gapsOverLimit takeovers before which the set was unwatched for longer than {@code maxGap}, because the scheduler was late. The
 *     time is measured from the check in which the watcher first saw the event
 * @param largestGapNs longest time for which a set was unwatched before a takeover, measured in the same way
 * @param claimedAndMore events that found their handle being processed. The processing thread handles them as well
 * @param staleEvents events of closed handles
 * @param nestedWaits handlers that waited for a {@link org.cabrank.lf.Reply}
 * @param nestingRefusals waits for a reply that were refused, because too many handlers of the thread waited already
 * @param failures handlers that threw, and descriptors that could not be closed
 * @param queueFull tasks and writes that were refused because a bounded queue was full
 * @param threadsAdded threads that a {@linkplain org.cabrank.lf.PoolConfig#growing growing} pool has added
 * @param threadsEnded threads that a growing pool has ended because they were not needed
 * @param threadsRefused threads that a growing pool could not start, for lack of native threads or because a callback of the service failed
 * @param offloadsBegun pieces of work that handlers offered to an executor ({@link org.cabrank.lf.handle.Handle#offload})
 * @param offloadsRefused pieces of work that the executor rejected
 * @param offloadsFailed pieces of work that threw
 * @param offloadsDropped pieces of work whose handle was closed before it got the result
 */
public record PoolCounters(
        long detected,
        long processed,
        long eagerPromotions,
        long handlerPromotions,
        long leavingPromotions,
        long returnPromotions,
        long takeovers,
        long gapsOverLimit,
        long largestGapNs,
        long claimedAndMore,
        long staleEvents,
        long nestedWaits,
        long nestingRefusals,
        long failures,
        long queueFull,
        long threadsAdded,
        long threadsEnded,
        long threadsRefused,
        long offloadsBegun,
        long offloadsRefused,
        long offloadsFailed,
        long offloadsDropped) {

    /** Number of hand-overs by a leader that stayed to process an event. */
    public long promotions() {
        return eagerPromotions + handlerPromotions;
    }
}
