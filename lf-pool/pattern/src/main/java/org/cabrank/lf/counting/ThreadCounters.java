package org.cabrank.lf.counting;

/** See {@link org.cabrank.lf.observe.ThreadStatus}. */
public record ThreadCounters(long processed, long promotions, long takeovers) {}
