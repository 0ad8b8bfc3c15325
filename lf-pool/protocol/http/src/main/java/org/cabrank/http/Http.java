package org.cabrank.http;

import java.util.Objects;
import org.cabrank.http.client.HttpClient;
import org.cabrank.stream.StreamReactor;

/** Entry points of HTTP/1.1 services and clients. */
public final class Http {
    private Http() {}

    /** A server that gives all requests to {@code handler}, with default limits and time-outs. */
    public static HttpService server(HttpHandler handler) {
        return new HttpService(Objects.requireNonNull(handler, "handler"));
    }

    /** A client on the threads of {@code reactor}, with default limits and time-outs. */
    public static HttpClient client(StreamReactor reactor) {
        return HttpClient.over(reactor);
    }
}
