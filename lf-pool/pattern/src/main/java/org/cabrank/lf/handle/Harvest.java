package org.cabrank.lf.handle;

import java.io.IOException;
import org.cabrank.lf.dispatch.HarvestedEvents;

/**
 * The waits of a handle set's watcher, and the events of the last wait. Made by {@link HandleSet#newHarvest}, one for a set. Leaders hand
 * it on with leadership, so only one thread at a time uses it, without a lock.
 */
@SuppressWarnings("exports") // the superclass is the interface of dispatch, which does not know this class
public abstract class Harvest extends HarvestedEvents {
    protected Harvest() {}

    /**
     * Waits for events and replaces the (exhausted) harvest by them; returns their number. An interrupted wait is an empty harvest.
     *
     * @param timeoutNs from 0, which does not wait, to {@link HandleSet#FOREVER}. Rounded up if the reactor cannot wait so exactly, so that
     *     no timer is found to be early
     * @throws IOException if the set cannot be watched any more; the pool fails
     */
    @Override
    protected abstract int await(long timeoutNs) throws IOException;

    /**
     * Moves to the next event and returns its handle; null: the harvest is exhausted. The handle may have left: the pool recognises it by
     * its claim, and counts the event as stale. An event of an unknown handle is left out, and {@linkplain #noteStale counted}. Returned
     * rather than kept in a field, because storing a reference at every event costs a garbage collector's barrier.
     */
    @Override
    protected abstract Handle next();

    @Override
    protected abstract int ready();
}
