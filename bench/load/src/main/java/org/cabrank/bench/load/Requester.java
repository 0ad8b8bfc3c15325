package org.cabrank.bench.load;

/** Connection in the view of a {@link SendingPace}. Belongs to its worker's thread. */
interface Requester {

    int place();

    /** Number of further requests that may be under way on the connection; 0 after a failure. */
    int room();

    /** System.nanoTime since which there has been room; undefined if there is none. */
    long roomSinceNs();

    /** Adds a request, which {@link #flush} sends; its latency counts from {@code intendedNs}. There must be room. */
    void request(long intendedNs);

    void flush();
}
