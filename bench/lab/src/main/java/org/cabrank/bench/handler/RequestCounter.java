package org.cabrank.bench.handler;

import java.util.concurrent.atomic.LongAdder;

/** Requests of a server since its start. Any thread. */
public final class RequestCounter {
    private final LongAdder requests = new LongAdder();

    void add() {
        requests.increment();
    }

    /** Returns the number of requests, which may be slightly out of date. */
    public long total() {
        return requests.sum();
    }
}
