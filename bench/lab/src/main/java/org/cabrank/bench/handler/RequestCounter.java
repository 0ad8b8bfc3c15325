package org.cabrank.bench.handler;

import java.util.concurrent.atomic.LongAdder;

/** Counts the requests of a server since its start. Safe for use by any thread. */
public final class RequestCounter {
    private final LongAdder requests = new LongAdder();

    void add() {
        requests.increment();
    }

    public long total() {
        return requests.sum();
    }
}
