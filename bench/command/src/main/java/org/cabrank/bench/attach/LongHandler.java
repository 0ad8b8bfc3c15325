package org.cabrank.bench.attach;

/**
 * A handler that ran during several samples.
 *
 * @param thread that ran it
 * @param atLeastNs time between the first look and the last
 * @param place code that the thread ran; empty if the handler had ended before its stack was taken
 */
public record LongHandler(String thread, long atLeastNs, String place) {}
