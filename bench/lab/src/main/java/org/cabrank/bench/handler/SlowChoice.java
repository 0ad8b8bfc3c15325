package org.cabrank.bench.handler;

/** Slowness of a server's handlers, which may change. Any thread. */
public interface SlowChoice {

    SlowRequests now();

    /** Returns true if a request of this server may block, now or later. */
    default boolean mayBlock() {
        return now().permille() != 0;
    }
}
