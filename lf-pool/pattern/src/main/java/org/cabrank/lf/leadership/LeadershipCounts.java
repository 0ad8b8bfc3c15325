package org.cabrank.lf.leadership;

import java.util.concurrent.atomic.LongAdder;

/** Costs of passing leadership on since the pool's start. Any thread may add to a count. */
public final class LeadershipCounts {
    public final LongAdder handOvers = new LongAdder();
    public final LongAdder handOverWaitNs = new LongAdder();
    public final LongAdder failedTakeovers = new LongAdder();
    public final LongAdder wakeups = new LongAdder();
    public final LongAdder lockWaits = new LongAdder();
}
