package org.cabrank.lf.jfr;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Registered;
import jdk.jfr.StackTrace;

/** Common fields of a pool's events. Registered by {@link RecorderListener}: see {@link FlightRecording}. */
@Category({"Cabrank"})
@Registered(false)
@StackTrace(false)
abstract class PoolEvent extends Event {
    @Label("Pool")
    @Description("Name of the pool")
    String pool;

    @Label("Handle Set")
    @Description("Index of the handle set among those of the pool")
    int handleSet;
}
