package org.cabrank.lf.observe;

/**
 * Counts of a {@link org.cabrank.lf.TaskQueue} since it was made. Every offered task is in exactly one of the figures, once it has ended
 * ({@code failed} is part of {@code run}).
 *
 * @param run tasks that have ended
 * @param failed those that threw
 * @param refusedFull tasks refused because the queue was full
 * @param refusedClosed tasks refused because the queue was closed, or its pool was stopping
 * @param waiting tasks that wait now
 * @param unrun accepted tasks that never ran, see {@link org.cabrank.lf.TaskQueue#unrun}
 */
public record TaskCounters(long run, long failed, long refusedFull, long refusedClosed, int waiting, int unrun) {}
