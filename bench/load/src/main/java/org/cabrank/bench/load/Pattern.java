package org.cabrank.bench.load;

import java.util.Locale;

/** Traffic pattern of a run's connections. Every answer is compared with its request. */
public enum Pattern {

    /** Each connection keeps one request or several requests (pipelined) under way. */
    PING_PONG,

    /** Each connection sends chunks of one size as fast as they return. The result is in bytes per second. */
    STREAMING,

    /** Streaming with chunks of random sizes, which the generator reads in pieces of random sizes. Tests if the server is correct. */
    RANDOM_CHUNKS,

    /** Each connection connects, sends one request, receives the answer, closes, and begins again. */
    CHURN,

    /** All connections send several requests at the same instant, and repeat this after an interval. */
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
