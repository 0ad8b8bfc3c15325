package org.cabrank.lf.jfr;

import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Threshold;
import jdk.jfr.Timespan;

/** See {@link PoolEvents#beginHandler}. */
@Name("org.cabrank.SlowHandler")
@Label("Slow Handler")
@Description("An event handler has run for longer than the threshold")
@Threshold("10 ms")
final class SlowHandlerEvent extends PoolEvent {
    /** Says whether the event is recorded at this moment: that is known to the class, so one instance serves all. */
    static final SlowHandlerEvent PROBE = new SlowHandlerEvent();

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
