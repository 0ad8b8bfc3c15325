package org.cabrank.lf;

/**
 * Counts of a pool since its start.
 *
 * @param detected events that the kernel reported
 * @param processed calls of handlers
 * @param promotions hand-overs to a follower by a leader that went on to process
 * @param depositions takeovers by the standby from a leader that processed for too long
 * @param claimedAndMore events met while their handle was being processed
 * @param staleEvents events of handles that had been closed
 * @param nestedWaits handlers that waited for a {@link Reply}
 * @param nestingRefusals handlers that were not allowed to, because their thread waited too often already
 * @param failures handlers that threw
 */
public record PoolCounters(
        long detected,
        long processed,
        long promotions,
        long depositions,
        long claimedAndMore,
        long staleEvents,
        long nestedWaits,
        long nestingRefusals,
        long failures) {}
