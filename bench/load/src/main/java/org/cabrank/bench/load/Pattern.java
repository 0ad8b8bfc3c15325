package org.cabrank.bench.load;

import java.util.Locale;

/** Traffic pattern of a run's connections. Every answer is compared with its request. */
public enum Pattern {

    /** Each connection keeps one request or several requests (pipelined) under way. */
    PING_PONG,

    /** Each connection sends chunks of one size as fast as they return; bytes per second are the measure. */
    STREAMING,

    /** Streaming with chunks of random sizes, read back in pieces of random sizes: tests the server's correctness. */
    RANDOM_CHUNKS,

    /** Each connection connects, sends one request, receives the answer, closes, and begins again. */
    CHURN,

    /** All connections send several requests at the same instant, and pause. */
    BURSTS;

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Returns true if the pattern consists of requests and answers, so that a rate can be set. */
    public boolean asks() {
        return this != STREAMING && this != RANDOM_CHUNKS;
    }
}
