package org.cabrank.lf.handle;

import java.io.IOException;
import org.cabrank.lf.dispatch.HarvestedEvents;

/**
 * The waits of the watcher of a handle set, and the events of the last wait. Made by {@link HandleSet#newHarvest}.
 *
 * <p>A set has one harvest, which its leaders hand on with leadership. So a harvest is never used by two threads at once and needs no
 * lock.
 */
@SuppressWarnings("exports") // the superclass is the interface of dispatch, which does not know this class
public abstract class Harvest extends HarvestedEvents {
    protected Harvest() {}

    /**
     * Waits for events and replaces the (exhausted) harvest by them. An interrupted wait is an empty harvest.
     *
     * @param timeoutNs not negative; 0: does not wait; {@link HandleSet#FOREVER}. A reactor that cannot wait so exactly
     *     rounds it up, so that no timer is found to be early
     * @return the number of events harvested
     * @throws IOException when the set cannot be watched any more; the pool fails
     */
    @Override
    protected abstract int await(long timeoutNs) throws IOException;

    /**
     * Moves to the next event.
     *
     * @return its handle; null: the harvest is exhausted. A handle that has left may be handed out: the pool recognises it by its
     *     claim, and counts the event as stale. An event whose handle is not known any more is left out, and {@linkplain #noteStale
     *     counted}. Handed out and not kept in a field, because storing a reference at every event costs a garbage collector's
     *     barrier
     */
    @Override
    protected abstract Handle next();

    @Override
    protected abstract int ready();
}
