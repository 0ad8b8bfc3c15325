package org.cabrank.bench.load;

import org.cabrank.bench.load.engine.PaceTimer;

/** Decides when which connection sends. Belongs to its worker's thread; time is System.nanoTime. */
interface SendingPace {

    /** No time at which to be called again. */
    long NEVER = PaceTimer.NEVER;

    /** A request sent later than this after its due time, though it could have been sent, counts as late. */
    long LATE_NS = 1_000_000;

    /** Called when all connections have had a first answer, and are free. */
    void begin(Requester[] active, long nowNs);

    /**
     * {@code requester} has room for one more request than before. A request that this call makes needs no flush: the
     * requester flushes after the call.
     */
    void free(Requester requester, long nowNs);

    /** Sends due requests. Returns the next due time, or {@link #NEVER}. May also be called earlier. */
    long sendDue(long nowNs);
}
