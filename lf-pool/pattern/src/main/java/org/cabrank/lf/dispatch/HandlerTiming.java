package org.cabrank.lf.dispatch;

import org.cabrank.lf.counting.LatencyCounts;
import org.cabrank.lf.failure.FailureLog;
import org.cabrank.lf.jfr.FlightRecording;
import org.cabrank.lf.jfr.PoolEvents;

/** Duration of handlers for flight recordings. Without a recording that asks, reads no clock and allocates nothing. */
final class HandlerTiming {
    private HandlerTiming() {}

    /**
     * Called before the handler. Returns null if no recording asks; {@link #end} must not be called then. Never throws.
     *
     * @param detectedNs time at which the kernel reported the event, or {@link LatencyCounts#UNKNOWN}
     */
    static Object begin(Dispatcher set, long detectedNs) {
        return FlightRecording.hasBegunOpaque() ? beginRecording(set, detectedNs) : null;
    }

    private static Object beginRecording(Dispatcher set, long detectedNs) {
        try {
            Object timing = PoolEvents.beginHandler();
            if (timing != null && detectedNs != LatencyCounts.UNKNOWN) {
                PoolEvents.waited(timing, set.backend.nanoTime() - detectedNs);
            }
            return timing;
        } catch (Throwable failure) { // the caller holds the claim of a handle
            logFailure(set, failure);
            return null;
        }
    }

    private static void logFailure(Dispatcher set, Throwable failure) {
        set.failures.log("recording the time of a handler failed", failure);
    }

    /** Called after the handler. Never throws. */
    static void end(Object timing, Dispatcher set, HandleState handle, int ready) {
        try {
            if (PoolEvents.endHandler(timing)) {
                ServingPool pool = set.pool();
                PoolEvents.recordHandler(
                        timing,
                        pool.name(),
                        pool.indexOf(set),
                        FailureLog.name(handle),
                        set.handlers.handlerClass(handle),
                        ReadyBits.describe(ready));
            }
        } catch (Throwable failure) {
            logFailure(set, failure);
        }
    }
}
