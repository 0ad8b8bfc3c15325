package org.cabrank.bench.attach;

/** A handler that ran during several samples. {@code place}: its code; empty if the handler had ended before its stack was taken. */
public record LongHandler(String thread, long atLeastNs, String place) {}
