package org.cabrank.lf.observe;

/**
 * Counts of a pool since it was made, summed over its threads and handle sets. Read without a lock, so a concurrent change may be missing.
 * No count ever falls.
 *
 * @param detected events that the kernel reported
 * @param processed calls of handlers
 * @param eagerPromotions hand-overs to a follower before an event is processed ({@link org.cabrank.lf.Promotion#eager})
 * @param handlerPromotions hand-overs by {@link org.cabrank.lf.LeaderFollowersPool#promoteNewLeader}; if no thread followed, the next
 *     thread that became free led
 * @param leavingPromotions hand-overs to a follower by a leader that left because its time was up, the pool stopped, or it failed
 * @param returnPromotions hand-overs by a deputy to the regular leader ({@link org.cabrank.lf.Promotion#deferred}), for sets that
 *     {@linkplain org.cabrank.lf.handle.HandleSet#prefersOneLeader prefer one leader}
 * @param takeovers takeovers from a leader that processed for too long ({@link org.cabrank.lf.Promotion#deferred})
 * @param gapsOverLimit takeovers before which the set was unwatched for longer than {@code maxGap}, because the scheduler was late. The
 *     time is counted from the check at which the watcher first saw the event. So up to one pause between two checks (see {@link
 *     org.cabrank.lf.Promotion#deferred}) is missed, as the beginning of the event is unknown
 * @param largestGapNs longest time for which a set was unwatched before a takeover, counted in the same way
 * @param claimedAndMore events that found their handle being processed, and were left to the processing thread
 * @param staleEvents events of closed handles
 * @param nestedWaits handlers that waited for a {@link org.cabrank.lf.Reply}
 * @param nestingRefusals refused waits for a reply, because too many handlers of the thread waited already
 * @param failures handlers that threw, and descriptors that could not be closed
 * @param queueFull tasks and writes refused because a bounded queue was full
 * @param threadsAdded threads that a {@linkplain org.cabrank.lf.PoolConfig#growing growing} pool has started beyond its initial ones
 * @param threadsEnded threads that a growing pool has ended because they were not needed
 * @param threadsRefused threads that a growing pool could not start: there was no native thread, or the thread factory or {@link
 *     org.cabrank.lf.PoolConfig#onThreadStart} failed
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
