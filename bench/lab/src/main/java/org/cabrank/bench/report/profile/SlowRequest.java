package org.cabrank.bench.report.profile;

import java.util.List;

/**
 * The slowest request of an interval in which a pool of Cabrank was recorded, with the activities of each thread of the handle set meanwhile.
 * Times are in µs since the return of the wait that reported the request.
 *
 * @param shard name of the pool, and number of the handle set if that is not 0
 * @param handle handle that the request came on
 * @param handlersSeen number of calls of handlers in the interval, of which the call shown took longest
 * @param waitedUs time until the handler started
 * @param handledUs time that the handler took
 * @param fromUs beginning of what is shown
 * @param toUs end of what is shown
 * @param lanes one for each thread
 * @param moments events of the request, in the order of time
 */
public record SlowRequest(
        String cell,
        String contender,
        String shard,
        String handle,
        long handlersSeen,
        double waitedUs,
        double handledUs,
        double fromUs,
        double toUs,
        List<Lane> lanes,
        List<Moment> moments) {

    public SlowRequest {
        lanes = List.copyOf(lanes);
        moments = List.copyOf(moments);
    }

    /** Activities of a thread. */
    public record Lane(String thread, List<Span> spans) {

        public Lane {
            spans = List.copyOf(spans);
        }
    }

    /** Activity of a thread in a span. */
    public enum Activity {
        /** Has the leadership: watches the handle set, or keeps the set unwatched while it runs a handler. */
        LEADS,
        /** Waits in the kernel for events. */
        WAITS,
        /** Runs handlers of other requests. */
        HANDLES,
        /** Runs the handler of the request. */
        REQUEST
    }

    /**
     * @param count number of waits or calls of handlers that are too near to each other to be drawn apart
     */
    public record Span(Activity activity, double fromUs, double toUs, int count) {}

    /** Event in one sentence. */
    public record Moment(double atUs, String what) {}
}
