package org.cabrank.lf.stream;

/**
 * What became of connections, counted since the start.
 *
 * @param opened connections that have stood
 * @param closed those of them that stand no more
 */
public record StreamCounters(long opened, long closed) {}
