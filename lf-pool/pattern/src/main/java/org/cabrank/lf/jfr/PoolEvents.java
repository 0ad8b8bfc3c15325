package org.cabrank.lf.jfr;

/**
 * Records a pool's events in flight recordings. Called only after {@link FlightRecording#hasBegunOpaque} has returned true. A handle may be
 * passed as an object with a costly {@code toString}, which is called only if the event is recorded.
 */
public final class PoolEvents {
    public static final String BY_HANDLER = "handler";

    public static final String BY_LEAVING = "leaving";

    /** Kind passed to {@link #promoted} if a deputy has given leadership back to the regular leader. */
    public static final String BY_RETURN = "return";

    /** The recorder shows a time span with this value as missing. */
    private static final long UNKNOWN = Long.MIN_VALUE;

    private PoolEvents() {}

    public static void promoted(String pool, int handleSet, String kind, Thread promoted) {
        EventTypes.Promotion event = new EventTypes.Promotion();
        if (event.shouldCommit()) {
            event.kind = kind;
            event.promoted = promoted;
            event.commit(pool, handleSet);
        }
    }

    public static void promotedEagerly(String pool, int handleSet, Thread promoted) {
        if (EventTypes.EagerPromotion.PROBE.isEnabled()) {
            EventTypes.EagerPromotion event = new EventTypes.EagerPromotion();
            event.promoted = promoted;
            event.commit(pool, handleSet);
        }
    }

    /** Records a takeover. If the set was unwatched longer than the limit, records a detection gap as well. Called by the watcher. */
    public static void deposed(
            String pool,
            int handleSet,
            Thread promoted,
            Thread deposed,
            Object handle,
            long unwatchedNs,
            long limitNs) {
        EventTypes.Takeover event = new EventTypes.Takeover();
        if (event.shouldCommit()) {
            event.promoted = promoted;
            event.deposed = deposed;
            event.handle = String.valueOf(handle);
            event.unwatchedNs = unwatchedNs;
            event.commit(pool, handleSet);
        }
        EventTypes.DetectionGap gap = new EventTypes.DetectionGap();
        if (unwatchedNs > limitNs && gap.shouldCommit()) {
            gap.unwatchedNs = unwatchedNs;
            gap.limitNs = limitNs;
            gap.commit(pool, handleSet);
        }
    }

    public static boolean recordsHandlers() {
        return EventTypes.SlowHandler.PROBE.isEnabled();
    }

    /** Begins to measure a wait. Returns null if no recording contains waits. */
    public static Object beginWait() {
        if (!EventTypes.Harvest.PROBE.isEnabled()) {
            return null;
        }
        EventTypes.Harvest event = new EventTypes.Harvest();
        event.begin();
        return event;
    }

    public static void harvested(Object begun, String pool, int handleSet, int events) {
        EventTypes.Harvest event = (EventTypes.Harvest) begun;
        event.end();
        if (event.shouldCommit()) {
            event.events = events;
            event.commit(pool, handleSet);
        }
    }

    public static Object beginHandler() {
        if (!recordsHandlers()) {
            return null;
        }
        EventTypes.SlowHandler event = new EventTypes.SlowHandler();
        event.waitedNs = UNKNOWN;
        event.begin();
        return event;
    }

    public static void waited(Object begun, long ns) {
        ((EventTypes.SlowHandler) begun).waitedNs = ns;
    }

    public static boolean endHandler(Object begun) {
        EventTypes.SlowHandler event = (EventTypes.SlowHandler) begun;
        event.end();
        return event.shouldCommit();
    }

    public static void recordHandler(
            Object begun, String pool, int handleSet, Object handle, Class<?> handler, String ready) {
        EventTypes.SlowHandler event = (EventTypes.SlowHandler) begun;
        event.handle = String.valueOf(handle);
        event.handler = handler;
        event.ready = ready;
        event.commit(pool, handleSet);
    }
}
