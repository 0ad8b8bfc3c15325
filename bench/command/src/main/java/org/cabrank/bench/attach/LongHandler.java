package org.cabrank.bench.attach;

/** A handler that several samples in a row found running. {@code place} is the line of code that the handler ran, or empty if unknown. */
public record LongHandler(String thread, long atLeastNs, String place) {}
