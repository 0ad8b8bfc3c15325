package org.cabrank.http;

/** Continuation of a request's handler after offloaded work ({@link HttpExchange#offload}) with a result of type {@code T}. */
@FunctionalInterface
public interface HttpContinuation<T> {
    /** Continues the request in a callback. May do whatever {@link HttpHandler#request} may do. */
    void resume(HttpExchange exchange, T result) throws Exception;
}
