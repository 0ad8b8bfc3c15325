package org.cabrank.lf.counting;

/**
 * Counts of a thread since it joined the pool.
 *
 * @param processed calls of handlers
 * @param promotions hand-overs of leadership by this thread, to go on to process or to leave
 * @param takeovers takeovers by this thread from a leader that processed for too long
 */
public record ThreadCounters(long processed, long promotions, long takeovers) {}
