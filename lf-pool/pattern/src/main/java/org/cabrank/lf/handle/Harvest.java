package org.cabrank.lf.handle;

import java.io.IOException;
import org.cabrank.lf.dispatch.HarvestedEvents;

/**
 * The waits of a handle set's watcher, and the events of the last wait. {@link HandleSet#newHarvest} makes one harvest for a set. Leaders
 * hand it on with leadership, so only one thread at a time uses it, and it needs no lock.
 */
@SuppressWarnings("exports") // the superclass is the interface of dispatch, which does not know this class
public abstract class Harvest extends HarvestedEvents {
    protected Harvest() {}

    /**
     * Waits for events, replaces the (exhausted) harvest by them and returns their number. An interrupted wait gives an empty harvest.
     *
     * @param timeoutNs from 0 (does not wait) to {@link HandleSet#FOREVER}. Rounded up to the precision of the reactor's wait, so that no
     *     wait ends before a timer has expired
     * @throws IOException if the set cannot be watched any more; the pool fails
     */
    @Override
    protected abstract int await(long timeoutNs) throws IOException;

    /**
     * Moves to the next event and returns its handle; null if the harvest is exhausted. The handle may have left the set: then the pool
     * sees that its claim is closed, and counts the event as stale. An event of an unknown handle is skipped, and {@linkplain #noteStale
     * counted}. The handle is returned, not stored in a field, because storing a reference at every event costs a GC barrier.
     */
    @Override
    protected abstract Handle next();

    @Override
    protected abstract int ready();
}
