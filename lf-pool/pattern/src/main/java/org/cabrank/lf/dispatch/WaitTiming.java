package org.cabrank.lf.dispatch;

import org.cabrank.lf.counting.LatencyCounts;
import org.cabrank.lf.jfr.FlightRecording;
import org.cabrank.lf.jfr.PoolEvents;

/** Waits of a watcher for flight recordings. Without a recording that asks, reads no clock and allocates nothing. */
final class WaitTiming {
    private WaitTiming() {}

    /** Called before the wait. Returns null if no recording asks; {@link #end} must not be called then. Never throws. */
    static Object begin(Dispatcher set) {
        return FlightRecording.hasBegunOpaque() ? beginRecording(set) : null;
    }

    private static Object beginRecording(Dispatcher set) {
        try {
            return PoolEvents.beginWait();
        } catch (Throwable failure) { // the caller leads
            logFailure(set, failure);
            return null;
        }
    }

    /** Called after a wait that returned events. Never throws. */
    static void end(Object timing, Dispatcher set, int events) {
        try {
            ServingPool pool = set.pool();
            PoolEvents.harvested(timing, pool.name(), pool.indexOf(set), events);
        } catch (Throwable failure) {
            logFailure(set, failure);
        }
    }

    /** Time by the set's clock if a recording wants to know how long events wait for their handlers; else unknown. Never throws. */
    static long detectedNs(Dispatcher set) {
        try {
            return FlightRecording.hasBegunOpaque() && PoolEvents.recordsHandlers()
                    ? set.backend.nanoTime()
                    : LatencyCounts.UNKNOWN;
        } catch (Throwable failure) {
            logFailure(set, failure);
            return LatencyCounts.UNKNOWN;
        }
    }

    private static void logFailure(Dispatcher set, Throwable failure) {
        set.failures.log("recording the time of a wait failed", failure);
    }
}
