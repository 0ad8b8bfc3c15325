package org.cabrank.lf.observe;

/**
 * Counts of a {@link org.cabrank.lf.TaskQueue} since it was made. Each offered task is in exactly one of the figures, with two exceptions.
 * A task that runs at the moment is in none, and a failed task is both in {@code run} and in {@code failed}.
 *
 * @param run tasks that have ended
 * @param failed tasks that threw
 * @param refusedFull tasks refused because the queue was full
 * @param refusedClosed tasks refused because the queue was closed or its pool was stopping
 * @param waiting tasks that wait at the moment
 * @param unrun accepted tasks that will never run, see {@link org.cabrank.lf.TaskQueue#unrun}
 */
public record TaskCounters(long run, long failed, long refusedFull, long refusedClosed, int waiting, int unrun) {}
