package org.cabrank.bench.attach;

import java.util.List;

/**
 * Occupation of the threads of a pool, from looks at regular times.
 *
 * @param looks number of looks
 * @param allBusy number of looks at which every thread ran a handler
 * @param handlers those that ran at several looks, the longest first
 */
public record PoolOccupation(String pool, int looks, int allBusy, List<LongHandler> handlers) {
    public PoolOccupation {
        handlers = List.copyOf(handlers);
    }
}
