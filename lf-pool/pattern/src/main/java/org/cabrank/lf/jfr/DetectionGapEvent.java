package org.cabrank.lf.jfr;

import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Timespan;

/** See {@link PoolEvents#deposed}. */
@Name("org.cabrank.DetectionGap")
@Label("Detection Gap")
@Description("The handle set has been unwatched for longer than the limit, because the watcher came late to its look")
final class DetectionGapEvent extends PoolEvent {
    @Label("Unwatched At Least")
    @Description("Time since the watcher saw the event in progress first; the event began before that")
    @Timespan(Timespan.NANOSECONDS)
    long unwatchedNs;

    @Label("Limit")
    @Description("maxGap of the pool's deferred promotion")
    @Timespan(Timespan.NANOSECONDS)
    long limitNs;
}
