package org.cabrank.bench.model;

/**
 * What a simulation came to.
 *
 * @param requestsPerSecond answers per second
 * @param p50Us from a request's arrival to its answer, or until the load generator, where there is one, is done with that
 * @param promotionsPerRequest leadership that went to another thread
 * @param takeoversPerSecond those of them from a leader that stayed in a handler
 */
public record Outcome(
        double requestsPerSecond, double p50Us, double p99Us, double promotionsPerRequest, double takeoversPerSecond) {}
