package org.cabrank.lf.observe;

/**
 * Counts of the work that a pool's handlers have handed away ({@link org.cabrank.lf.handle.Handle#offload}), since its start.
 *
 * @param begun pieces of work that were to be handed to an executor
 * @param refused those of them that the executor rejected
 * @param failed those of them that threw
 * @param dropped those of them whose handle was closed before the result was given to it
 */
public record OffloadCounters(long begun, long refused, long failed, long dropped) {}
