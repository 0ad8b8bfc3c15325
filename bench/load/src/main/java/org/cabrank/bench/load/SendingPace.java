package org.cabrank.bench.load;

import org.cabrank.bench.load.engine.PaceTimer;

/** Decides which connection sends at which time. Belongs to its worker's thread. Times are values of System.nanoTime(). */
interface SendingPace {

    long NEVER = PaceTimer.NEVER;

    /** A request is late if it is sent more than this time after its due time, although a connection had room at the due time. */
    long LATE_NS = 1_000_000;

    /** Called when all connections have had a first answer. */
    void begin(Requester[] active, long nowNs);

    /** Called when {@code requester} has room for one more request. The requester flushes after the call. */
    void free(Requester requester, long nowNs);

    /** Sends due requests. Returns the next due time, or {@link #NEVER}. May be called before that time. */
    long sendDue(long nowNs);
}
