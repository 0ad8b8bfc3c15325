package org.cabrank.bench.load;

/** View that a {@link SendingPace} has of a connection. Belongs to its worker's thread. */
interface Requester {

    int place();

    /** Number of further requests that may be under way on the connection; 0 after a failure. */
    int room();

    /** System.nanoTime since which there has been room; undefined without room. */
    long roomSinceNs();

    /** Adds a request, which {@link #flush} sends; its latency counts from {@code intendedNs}. There must be room. */
    void request(long intendedNs);

    void flush();
}
