package org.cabrank.lf.dispatch;

import org.cabrank.lf.counting.LatencyCounts;
import org.cabrank.lf.failure.FailureLog;
import org.cabrank.lf.jfr.FlightRecording;
import org.cabrank.lf.jfr.PoolEvents;

/** Measures durations for flight recordings. No method throws, because the callers are leaders or hold claims. */
final class Timings {
    private Timings() {}

    static Object beginWait(Dispatcher set) {
        return FlightRecording.hasBegunOpaque() ? beginRecordedWait(set) : null;
    }

    private static Object beginRecordedWait(Dispatcher set) {
        try {
            return PoolEvents.beginWait();
        } catch (Throwable failure) {
            logFailure(set, failure);
            return null;
        }
    }

    static void endWait(Object timing, Dispatcher set, int events) {
        try {
            ServingPool pool = set.pool();
            PoolEvents.harvested(timing, pool.name(), pool.indexOf(set), events);
        } catch (Throwable failure) {
            logFailure(set, failure);
        }
    }

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

    /** Returns null if the handler is not recorded. In this case {@link #endHandler} must not be called. */
    static Object beginHandler(Dispatcher set, long detectedNs) {
        return FlightRecording.hasBegunOpaque() ? beginRecordedHandler(set, detectedNs) : null;
    }

    private static Object beginRecordedHandler(Dispatcher set, long detectedNs) {
        try {
            Object timing = PoolEvents.beginHandler();
            if (timing != null && detectedNs != LatencyCounts.UNKNOWN) {
                PoolEvents.waited(timing, set.backend.nanoTime() - detectedNs);
            }
            return timing;
        } catch (Throwable failure) {
            logFailure(set, failure);
            return null;
        }
    }

    static void endHandler(Object timing, Dispatcher set, HandleState handle, int ready) {
        try {
            if (PoolEvents.endHandler(timing)) {
                ServingPool pool = set.pool();
                PoolEvents.recordHandler(
                        timing,
                        pool.name(),
                        pool.indexOf(set),
                        FailureLog.name(handle),
                        handle.handlerClass(),
                        ReadyBits.describe(ready));
            }
        } catch (Throwable failure) {
            logFailure(set, failure);
        }
    }

    private static void logFailure(Dispatcher set, Throwable failure) {
        set.failures.log("recording a duration failed", failure);
    }
}
