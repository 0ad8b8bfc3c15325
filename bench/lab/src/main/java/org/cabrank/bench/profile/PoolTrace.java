package org.cabrank.bench.profile;

import java.util.ArrayList;
import java.util.List;

/**
 * Events of the threads of one handle set. Times are in ns of one clock.
 *
 * @param shard name of the pool, and number of the handle set if that is not 0
 * @param harvests waits that returned events, in the order of their ends
 * @param handlings calls of handlers, in the order of their starts
 * @param changes changes of leadership, in the order of time
 */
record PoolTrace(String shard, List<Harvest> harvests, List<Handling> handlings, List<Change> changes) {

    /** Time that a handling has waited if no wait reported its event. */
    static final long UNKNOWN = Long.MIN_VALUE;

    PoolTrace(String shard) {
        this(shard, new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
    }

    /** A wait that returned {@code events} events. */
    record Harvest(String thread, long startNs, long endNs, int events) {}

    /** @param waitedNs time from the return of the wait that reported the event to the start; {@link #UNKNOWN}: no wait did */
    record Handling(String thread, long startNs, long endNs, String handle, long waitedNs) {

        /** Time at which the event was reported; the start if that is unknown. */
        long detectedNs() {
            return waitedNs == UNKNOWN ? startNs : startNs - waitedNs;
        }

        /** Time from the report to the end of the handler. */
        long allNs() {
            return endNs - detectedNs();
        }
    }

    /**
     * A change of leadership.
     *
     * @param from thread that led; null: unknown
     * @param to new leader; null: nobody waited
     * @param takeover true if the new leader took the leadership, false if it was given to it
     */
    record Change(long atNs, String from, String to, boolean takeover) {}
}
