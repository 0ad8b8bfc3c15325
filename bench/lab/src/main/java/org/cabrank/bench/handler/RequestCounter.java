package org.cabrank.bench.handler;

import java.util.concurrent.atomic.LongAdder;

/** Requests of a server since its start. Any thread. */
public final class RequestCounter {
    private final LongAdder requests = new LongAdder();

    /** There was one. */
    void add() {
        requests.increment();
    }

    /** A little late for what other threads do at this moment. */
    public long total() {
        return requests.sum();
    }
}
