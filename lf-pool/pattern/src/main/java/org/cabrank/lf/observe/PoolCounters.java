package org.cabrank.lf.observe;

/**
 * Counts of a pool since it was made, over its threads and handle sets. Read without a lock, a little late for concurrent changes; none
 * ever falls.
 *
 * @param detected events that the kernel reported
 * @param processed calls of handlers
 * @param eagerPromotions hand-overs to a follower before an event is processed ({@link org.cabrank.lf.Promotion#eager})
 * @param handlerPromotions hand-overs by {@link org.cabrank.lf.LeaderFollowersPool#promoteNewLeader}; if nobody waited, the next thread
 *     that came back led
 * @param leavingPromotions hand-overs to a follower by a leader that left: its time was up, the pool stopped, or it died
 * @param returnPromotions hand-overs by a deputy to the returned regular leader ({@link org.cabrank.lf.Promotion#deferred}), for sets that
 *     {@linkplain org.cabrank.lf.handle.HandleSet#prefersOneLeader prefer one leader}
 * @param takeovers takeovers from a leader that processed for too long ({@link org.cabrank.lf.Promotion#deferred})
 * @param gapsOverLimit takeovers before which the set had certainly been unwatched for longer than {@code maxGap}, counted from the
 *     watcher's first sight of the event: the scheduler was late. Up to one pause between two looks (see
 *     {@link org.cabrank.lf.Promotion#deferred}) is overlooked, because the begin of the event is unknown
 * @param largestGapNs longest time for which a set had certainly been unwatched at a takeover
 * @param claimedAndMore events met while their handle was being processed, and left to its thread
 * @param staleEvents events of closed handles
 * @param nestedWaits handlers that waited for a {@link org.cabrank.lf.Reply}
 * @param nestingRefusals handlers refused such a wait, because their thread waited too often already
 * @param failures handlers that threw, and descriptors that could not be closed
 * @param queueFull tasks and writes refused because a bounded queue was full
 * @param threadsAdded threads that a {@linkplain org.cabrank.lf.PoolConfig#growing growing} pool has started beyond its initial ones
 * @param threadsEnded threads that such a pool has ended because they were not needed
 * @param threadsRefused threads that such a pool could not start: no native thread, or the thread factory or
 *     {@link org.cabrank.lf.PoolConfig#onThreadStart} failed
 * @param offloadsBegun pieces of work that handlers were to hand to an executor ({@link org.cabrank.lf.handle.Handle#offload})
 * @param offloadsRefused those that the executor rejected
 * @param offloadsFailed those that threw
 * @param offloadsDropped those whose handle was closed before it got the result
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

    /** Hand-overs by a leader that went on to process. */
    public long promotions() {
        return eagerPromotions + handlerPromotions;
    }
}
