package org.cabrank.lf.jfr;

import java.util.List;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Registered;
import jdk.jfr.StackTrace;
import jdk.jfr.Threshold;
import jdk.jfr.Timespan;

/** Types of the events of a pool. {@link PoolEvents} records them. This class is loaded only after a recording has begun. */
final class EventTypes {
    static final List<Class<? extends Event>> ALL = List.of(
            Promotion.class,
            EagerPromotion.class,
            Takeover.class,
            DetectionGap.class,
            SlowHandler.class,
            Harvest.class);

    private EventTypes() {}

    /** Fields of all events. {@link FlightRecording} registers the types. */
    @Category({"Cabrank"})
    @Registered(false)
    @StackTrace(false)
    abstract static class OfPool extends Event {
        @Label("Pool")
        @Description("Name of the pool")
        String pool;

        @Label("Handle Set")
        @Description("Index of the handle set among those of the pool")
        int handleSet;

        void commit(String ofPool, int set) {
            pool = ofPool;
            handleSet = set;
            commit();
        }
    }

    @Name("org.cabrank.Promotion")
    @Label("Promotion")
    @Description("A leader has passed leadership on, because its handler asked for it or because it left the pool")
    @StackTrace
    static final class Promotion extends OfPool {
        @Label("Kind")
        @Description("handler: by promoteNewLeader; leaving: by a leader that left")
        String kind;

        @Label("Promoted Thread")
        @Description("The new leader; none where nobody waited, so that the next thread that comes back leads")
        Thread promoted;
    }

    @Name("org.cabrank.EagerPromotion")
    @Label("Eager Promotion")
    @Description(
            "A leader under eager promotion has passed leadership on before it processes an event: once for each event")
    @Enabled(false)
    static final class EagerPromotion extends OfPool {
        /** Used only to ask if events of this type are recorded now. All instances give the same answer, so one is enough. */
        static final EagerPromotion PROBE = new EagerPromotion();

        @Label("Promoted Thread")
        @Description("The new leader; none where nobody waited, so that the next thread that comes back leads")
        Thread promoted;
    }

    @Name("org.cabrank.Takeover")
    @Label("Takeover")
    @Description("A follower has taken leadership over from a leader that was processing one event for too long")
    static final class Takeover extends OfPool {
        @Label("Promoted Thread")
        @Description("The new leader")
        Thread promoted;

        @Label("Deposed Thread")
        Thread deposed;

        @Label("Handle")
        @Description("Whose event the deposed thread was processing")
        String handle;

        @Label("Unwatched At Least")
        @Description("Time since the watcher saw this event in progress first; the event began before that")
        @Timespan(Timespan.NANOSECONDS)
        long unwatchedNs;
    }

    @Name("org.cabrank.DetectionGap")
    @Label("Detection Gap")
    @Description(
            "The handle set has been unwatched for longer than the limit, because the watcher came late to its look")
    static final class DetectionGap extends OfPool {
        @Label("Unwatched At Least")
        @Description("Time since the watcher saw the event in progress first; the event began before that")
        @Timespan(Timespan.NANOSECONDS)
        long unwatchedNs;

        @Label("Limit")
        @Description("maxGap of the pool's deferred promotion")
        @Timespan(Timespan.NANOSECONDS)
        long limitNs;
    }

    @Name("org.cabrank.SlowHandler")
    @Label("Slow Handler")
    @Description("An event handler has run for longer than the threshold")
    @Threshold("10 ms")
    static final class SlowHandler extends OfPool {
        static final SlowHandler PROBE = new SlowHandler();

        @Label("Handle")
        String handle;

        @Label("Event Handler")
        @Description("Class of the event handler")
        Class<?> handler;

        @Label("Ready")
        @Description("What the handle was ready for")
        String ready;

        @Label("Waited")
        @Description(
                "Time from the return of the wait that reported the event to the start of its handler; missing if no wait reported the event, as after a post")
        @Timespan(Timespan.NANOSECONDS)
        long waitedNs;
    }

    @Name("org.cabrank.Harvest")
    @Label("Harvest")
    @Description(
            "A thread has waited in the kernel for events of the handle set, and found some: once for each such wait")
    @Enabled(false)
    static final class Harvest extends OfPool {
        static final Harvest PROBE = new Harvest();

        @Label("Events")
        @Description("Number of events that the wait returned")
        int events;
    }
}
