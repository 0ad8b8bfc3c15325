package org.cabrank.lf.jfr;

import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Timespan;

/** See {@link PoolEvents#deposed}. */
@Name("org.cabrank.Takeover")
@Label("Takeover")
@Description("A follower has taken leadership over from a leader that was processing one event for too long")
final class TakeoverEvent extends PoolEvent {
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
