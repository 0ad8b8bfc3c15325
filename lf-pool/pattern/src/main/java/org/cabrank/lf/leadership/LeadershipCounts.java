package org.cabrank.lf.leadership;

import java.util.concurrent.atomic.LongAdder;

/** Costs of passing leadership on since the pool's start. Any thread; each count stands beside a system call or a lock. */
public final class LeadershipCounts {
    public final LongAdder handOvers = new LongAdder();
    public final LongAdder handOverWaitNs = new LongAdder();
    public final LongAdder failedTakeovers = new LongAdder();
    public final LongAdder wakeups = new LongAdder();
    public final LongAdder lockWaits = new LongAdder();
}
