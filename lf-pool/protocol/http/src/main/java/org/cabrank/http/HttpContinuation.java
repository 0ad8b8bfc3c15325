package org.cabrank.http;

/** Continuation of a request's handler after offloaded work ({@link HttpExchange#offload}) with a result of type {@code T}. */
@FunctionalInterface
public interface HttpContinuation<T> {
    /** A callback like {@link HttpHandler#request}, with the same choices. */
    void resume(HttpExchange exchange, T result) throws Exception;
}
