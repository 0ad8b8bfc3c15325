package org.cabrank.bench.handler;

/** The current slowness of a server's handlers. Safe for use by any thread. */
public interface SlowChoice {

    SlowRequests now();

    /** Returns true if a request of this server may block, now or later. */
    default boolean mayBlock() {
        return now().permille() != 0;
    }
}
