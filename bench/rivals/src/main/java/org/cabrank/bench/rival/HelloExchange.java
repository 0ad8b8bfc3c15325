package org.cabrank.bench.rival;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import org.cabrank.bench.handler.HandlerWork;
import org.cabrank.bench.load.Plaintext;

/** The handler that all providers of {@code com.sun.net.httpserver} run. */
record HelloExchange(HandlerWork work) implements HttpHandler {

    private static final int OK = 200;
    private static final byte[] HELLO = Plaintext.BODY.getBytes(StandardCharsets.US_ASCII);
    private static final byte[] SLOW_HELLO = Plaintext.SLOW_BODY.getBytes(StandardCharsets.US_ASCII);

    @Override
    public void handle(HttpExchange exchange) throws IOException {
        byte[] content = work.perform() ? SLOW_HELLO : HELLO;
        exchange.getResponseHeaders().set("Content-Type", "text/plain");
        exchange.sendResponseHeaders(OK, content.length);
        try (OutputStream body = exchange.getResponseBody()) {
            body.write(content);
        }
    }
}
