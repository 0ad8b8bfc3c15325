package org.cabrank.lf.jfr;

import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Label;
import jdk.jfr.Name;

/** See {@link PoolEvents#beginWait}. */
@Name("org.cabrank.Harvest")
@Label("Harvest")
@Description("A thread has waited in the kernel for events of the handle set, and found some: once for each such wait")
@Enabled(false)
final class HarvestEvent extends PoolEvent {
    /** Instance that tells if the event is recorded at this moment, like {@link SlowHandlerEvent#PROBE}. */
    static final HarvestEvent PROBE = new HarvestEvent();

    @Label("Events")
    @Description("Number of events that the wait returned")
    int events;
}
