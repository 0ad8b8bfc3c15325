package org.cabrank.http;

import org.cabrank.stream.Connection;
import org.cabrank.stream.ConnectionContinuation;

record OffloadedExchange<T>(HttpConnection http, HttpExchange exchange, HttpContinuation<? super T> continuation)
        implements ConnectionContinuation<T> {
    @Override
    public void resume(Connection connection, T result) {
        exchange.offloadEnded();
        http.call(exchange, () -> continuation.resume(exchange, result));
    }

    @Override
    public void failed(Connection connection, Throwable failure) throws Exception {
        if (failure instanceof Error error) {
            throw error;
        }
        exchange.offloadEnded();
        http.call(exchange, () -> {
            throw (Exception) failure;
        });
    }
}
