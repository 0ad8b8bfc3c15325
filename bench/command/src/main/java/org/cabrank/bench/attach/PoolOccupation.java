package org.cabrank.bench.attach;

import java.util.List;

/** Occupation of a pool's threads. {@code allBusy}: samples in which every thread ran a handler. {@code handlers}: the longest first. */
public record PoolOccupation(String pool, int samples, int allBusy, List<LongHandler> handlers) {
    public PoolOccupation {
        handlers = List.copyOf(handlers);
    }
}
