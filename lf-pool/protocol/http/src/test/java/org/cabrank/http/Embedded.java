package org.cabrank.http;

import java.time.Duration;
import org.cabrank.stream.StreamLimits;
import org.cabrank.stream.StreamTimeouts;
import org.cabrank.stream.testkit.EmbeddedConnection;

/** A connection of a service without a socket. */
final class Embedded implements AutoCloseable {
    static final String HOST = "Host: a\r\n";
    static final String GET = "GET / HTTP/1.1\r\n" + HOST + "\r\n";

    final EmbeddedConnection client;

    private Embedded(EmbeddedConnection client) {
        this.client = client;
    }

    static Embedded open(HttpHandler handler) {
        return open(Http.server(handler));
    }

    static Embedded open(HttpService service) {
        return new Embedded(EmbeddedConnection.open(service.get()));
    }

    static Embedded open(HttpService service, StreamLimits limits) {
        return new Embedded(EmbeddedConnection.open(service.get(), limits, StreamTimeouts.DEFAULT));
    }

    static String post(String body) {
        return "POST / HTTP/1.1\r\n" + HOST + "Content-Length: " + body.length() + "\r\n\r\n" + body;
    }

    static String chunked(String... chunks) {
        StringBuilder text = new StringBuilder("POST / HTTP/1.1\r\n" + HOST + "Transfer-Encoding: chunked\r\n\r\n");
        for (String chunk : chunks) {
            text.append(Integer.toHexString(chunk.length()))
                    .append("\r\n")
                    .append(chunk)
                    .append("\r\n");
        }
        return text + "0\r\n\r\n";
    }

    /** Sends bytes, and returns what is answered at once, without the dates. */
    String exchange(String bytes) {
        client.peerSends(bytes);
        return received();
    }

    String received() {
        return client.peerReceives().replaceAll("Date: [^\r]*\r\n", "");
    }

    void advance(Duration time) {
        client.advance(time);
    }

    boolean isEnded() {
        return client.isOutputEnded();
    }

    @Override
    public void close() {
        client.close();
    }
}
