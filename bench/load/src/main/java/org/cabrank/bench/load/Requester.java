package org.cabrank.bench.load;

/** A connection that sends requests, as {@link SendingPace} uses it. Belongs to its worker's thread. */
interface Requester {

    int place();

    /** Returns the number of further requests that may be sent now. Returns 0 after a failure. */
    int room();

    /** Returns the System.nanoTime() at which room became free. Undefined if there is no room. */
    long roomSinceNs();

    /** Adds a request. {@link #flush} sends it. Its latency counts from {@code intendedNs}. Called only if there is room. */
    void request(long intendedNs);

    void flush();
}
