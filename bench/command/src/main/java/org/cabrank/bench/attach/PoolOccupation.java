package org.cabrank.bench.attach;

import java.util.List;

/**
 * Occupation of the threads of a pool, from samples at regular times.
 *
 * @param samples number of samples
 * @param allBusy number of samples in which every thread ran a handler
 * @param handlers handlers that ran during several samples, the longest first
 */
public record PoolOccupation(String pool, int samples, int allBusy, List<LongHandler> handlers) {
    public PoolOccupation {
        handlers = List.copyOf(handlers);
    }
}
