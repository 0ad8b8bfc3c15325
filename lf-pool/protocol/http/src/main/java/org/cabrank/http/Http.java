package org.cabrank.http;

import java.util.Objects;

/** HTTP/1.1: where services begin. */
public final class Http {
    private Http() {}

    /**
     * A server whose requests all are given to {@code handler}, with default limits and time-outs:
     *
     * <pre>{@code
     * StreamServer.builder().handler(Http.server(exchange -> exchange.send(200, "text/plain", "hello")))
     * }</pre>
     */
    public static HttpService server(HttpHandler handler) {
        return new HttpService(Objects.requireNonNull(handler, "handler"));
    }
}
