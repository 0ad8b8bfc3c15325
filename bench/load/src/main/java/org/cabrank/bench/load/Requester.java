package org.cabrank.bench.load;

/** A connection as a {@link SendingPace} sees it. Belongs to its worker's thread. */
interface Requester {

    int place();

    /** Number of further requests that may be under way on the connection; 0 after a failure. */
    int room();

    /** Time since which it has had room, of System.nanoTime; undefined if it has none. */
    long roomSinceNs();

    /** Adds a request; its latency counts from {@code intendedNs}. The caller has checked that there is room. {@link #flush} sends it. */
    void request(long intendedNs);

    void flush();
}
