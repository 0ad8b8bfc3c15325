package org.cabrank.lf;

import org.cabrank.lf.jfr.FlightRecording;
import org.cabrank.lf.jfr.PoolEvents;

/** How long handlers take, for flight recordings: without one that asks, no clock is read and nothing is allocated. */
final class HandlerTiming {
    private HandlerTiming() {}

    /** Before the handler; null: nobody asks, and {@link #end} is not to be called. */
    static Object begin() {
        return FlightRecording.hasBegunOpaque() ? PoolEvents.beginHandler() : null;
    }

    /** After the handler. */
    static void end(Object timing, HandleSet set, Handle handle, int ready) {
        if (PoolEvents.endHandler(timing)) {
            LeaderFollowersPool pool = set.pool();
            PoolEvents.recordHandler(
                    timing,
                    pool.config().name(),
                    pool.indexOf(set),
                    handle,
                    handle.handler().getClass(),
                    Ready.describe(ready));
        }
    }
}
