package org.cabrank.lf.dispatch;

import org.cabrank.lf.failure.FailureLog;
import org.cabrank.lf.jfr.FlightRecording;
import org.cabrank.lf.jfr.PoolEvents;

/** Duration of handlers for flight recordings. Without a recording that asks, reads no clock and allocates nothing. */
final class HandlerTiming {
    private HandlerTiming() {}

    /** Called before the handler. Returns null if no recording asks; {@link #end} must not be called then. Never throws. */
    static Object begin(Dispatcher set) {
        return FlightRecording.hasBegunOpaque() ? beginRecording(set) : null;
    }

    private static Object beginRecording(Dispatcher set) {
        try {
            return PoolEvents.beginHandler();
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
