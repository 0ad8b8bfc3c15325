package org.cabrank.bench.load;

/** A connection as a {@link SendingPace} sees it. Belongs to its worker's thread. */
interface Requester {

    /** Index among the worker's active connections, from 0. */
    int place();

    /** Number of further requests that may be under way on the connection; 0 after a failure. */
    int room();

    /** Since when it has had room, in System.nanoTime; without a meaning when it has none. */
    long roomSinceNs();

    /** Adds a request; its latency counts from {@code intendedNs}. The caller has checked that there is room. {@link #flush} sends it. */
    void request(long intendedNs);

    /** Sends the requests that have not been sent. */
    void flush();
}
