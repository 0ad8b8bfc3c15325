package org.cabrank.lf.handle;

import java.io.IOException;
import org.cabrank.lf.dispatch.HarvestedEvents;

/** The wait for the events of a handle set, and the events of the last wait. Only the leader uses it, so it needs no lock. */
@SuppressWarnings("exports") // the superclass is the interface of dispatch, which does not know this class
public abstract class Harvest extends HarvestedEvents {
    protected Harvest() {}

    /**
     * Waits for events, which replace the events of the last wait. Returns their number. If the wait is interrupted, there are no events.
     * All earlier events have been taken before this is called.
     *
     * @param timeoutNs from 0 to {@link HandleSet#FOREVER}. With 0 the call does not wait. The time is rounded up to the precision of the
     *     reactor's wait, so that no wait ends before a timer has expired
     * @throws IOException if the set cannot be watched any more. In this case the pool fails
     */
    @Override
    protected abstract int await(long timeoutNs) throws IOException;

    /**
     * Moves to the next event and returns its handle, or null after the last event. The event of an unknown handle is skipped and
     * {@linkplain #noteStale counted}. If the handle has left the set, the pool sees this from its claim. The handle is not stored in a
     * field, because storing a reference at every event would cost a GC barrier.
     */
    @Override
    protected abstract Handle next();

    @Override
    protected abstract int ready();
}
