package org.cabrank.bench.attach;

import java.util.List;

/** Samples of a pool's threads. {@code allBusy} counts the samples in which every thread ran a handler. The longest handler comes first. */
public record PoolOccupation(String pool, int samples, int allBusy, List<LongHandler> handlers) {
    public PoolOccupation {
        handlers = List.copyOf(handlers);
    }
}
