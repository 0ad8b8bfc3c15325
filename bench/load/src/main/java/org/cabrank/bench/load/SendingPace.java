package org.cabrank.bench.load;

import org.cabrank.bench.load.engine.PaceTimer;

/** Decides when which connection sends. Belongs to its worker's thread; times are of System.nanoTime. */
interface SendingPace {

    long NEVER = PaceTimer.NEVER;

    /** A request sent later than this after its due time, though it could have been sent, counts as late. */
    long LATE_NS = 1_000_000;

    /** Called when all connections have had a first answer. */
    void begin(Requester[] active, long nowNs);

    /** {@code requester} has room for one more request, and flushes after the call. */
    void free(Requester requester, long nowNs);

    /** Sends due requests. Returns the next due time, or {@link #NEVER}. May be called earlier. */
    long sendDue(long nowNs);
}
