package org.cabrank.lf.observe;

/**
 * Counts of a pool since it was made, its threads and handle sets taken together. Read without a lock, each a little late
 * for what other threads do at this moment, none ever falling.
 *
 * @param detected events that the kernel reported
 * @param processed calls of handlers
 * @param eagerPromotions hand-overs to a follower before an event is processed: under {@link org.cabrank.lf.Promotion#eager}
 * @param handlerPromotions hand-overs by {@link org.cabrank.lf.LeaderFollowersPool#promoteNewLeader}, also where nobody waited:
 *     then the next thread that came back led
 * @param leavingPromotions hand-overs to a follower by a leader that left: its time was up, the pool stopped, or it died
 * @param returnPromotions hand-overs by a deputy to the regular leader, which had been deposed and came back: under {@link
 *     org.cabrank.lf.Promotion#deferred}, for sets that
 *     {@linkplain org.cabrank.lf.handle.HandleSet#prefersOneLeader prefer one leader}
 * @param takeovers takeovers from a leader that processed for too long: under {@link org.cabrank.lf.Promotion#deferred}
 * @param gapsOverLimit those takeovers at which the handle set had been unwatched for longer than {@code maxGap} for
 *     certain: more than that had passed since the watcher first saw the event in progress. The scheduler was late then. Up to
 *     one pause between two looks (see {@link org.cabrank.lf.Promotion#deferred}) is overlooked, because when the event began
 *     is not known
 * @param largestGapNs the longest for which a set had been unwatched for certain, at any of the takeovers
 * @param claimedAndMore events met while their handle was being processed, and left to the thread that did
 * @param staleEvents events of handles that had been closed
 * @param nestedWaits handlers that waited for a {@link org.cabrank.lf.Reply}
 * @param nestingRefusals handlers that were not allowed to, because their thread waited too often already
 * @param failures handlers that threw, and descriptors that could not be closed
 * @param queueFull tasks and writes that were refused because a bounded queue was full
 * @param threadsAdded threads that a {@linkplain org.cabrank.lf.PoolConfig#growing growing} pool has started beyond its initial
 *     ones
 * @param threadsEnded threads that such a pool has ended because they were not needed
 * @param threadsRefused threads that such a pool could not start: no native thread, or the thread factory or
 *     {@link org.cabrank.lf.PoolConfig#onThreadStart} failed
 * @param offloadsBegun pieces of work that handlers were to hand to an executor ({@link org.cabrank.lf.handle.Handle#offload})
 * @param offloadsRefused those of them that the executor rejected
 * @param offloadsFailed those of them that threw
 * @param offloadsDropped those of them whose handle was closed before the result was given to it
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
