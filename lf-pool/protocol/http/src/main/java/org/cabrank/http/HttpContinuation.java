package org.cabrank.http;

/**
 * Continuation of a request's handler after the end of offloaded work ({@link HttpExchange#offload}).
 *
 * @param <T> type of the result
 */
@FunctionalInterface
public interface HttpContinuation<T> {
    /** The work has answered. A callback like {@link HttpHandler#request}, with the same choices. */
    void resume(HttpExchange exchange, T result) throws Exception;
}
