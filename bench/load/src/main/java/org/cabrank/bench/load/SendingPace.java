package org.cabrank.bench.load;

import org.cabrank.bench.load.engine.PaceTimer;

/** Decides when which connection sends. Belongs to its worker's thread; time is System.nanoTime. */
interface SendingPace {

    /** No time at which to be called again. */
    long NEVER = PaceTimer.NEVER;

    /** A request that is sent later than this after its time, though it could have been, is counted as late. */
    long LATE_NS = 1_000_000;

    /** All connections stand, with a first answer, and are free. */
    void begin(Requester[] active, long nowNs);

    /**
     * {@code requester} has room for one more request than before. A request that this call makes needs no flush: the
     * requester flushes after the call.
     */
    void free(Requester requester, long nowNs);

    /** Sends what is due. When the next is, or {@link #NEVER}. Also called before that. */
    long sendDue(long nowNs);
}
