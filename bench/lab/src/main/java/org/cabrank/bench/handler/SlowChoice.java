package org.cabrank.bench.handler;

/** Simulated slowness that a server's handlers have now, and perhaps not for good. Safe for use by any thread. */
public interface SlowChoice {

    /** Returns the slowness of requests from now on. */
    SlowRequests now();

    /** Returns true if a request of this server may block, now or later. */
    default boolean mayBlock() {
        return now().permille() != 0;
    }
}
