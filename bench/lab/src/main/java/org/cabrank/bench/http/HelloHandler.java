package org.cabrank.bench.http;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.cabrank.bench.handler.HandlerWork;
import org.cabrank.bench.load.Plaintext;
import org.cabrank.http.HttpAnswer;
import org.cabrank.http.HttpBody;
import org.cabrank.http.HttpExchange;
import org.cabrank.http.HttpHandler;
import org.cabrank.http.message.HttpFields;
import org.cabrank.http.message.HttpStatus;

/** Answers GET and HEAD of any target with {@code Hello, World!}, and other methods with an error. One object serves all connections. */
public record HelloHandler(HandlerWork work, boolean marksSlow) implements HttpHandler, HttpBody {
    static final String ALLOWED = "GET, HEAD";

    private static final HttpAnswer HELLO = HttpAnswer.of(HttpStatus.OK, "text/plain", bytes(Plaintext.BODY));
    private static final HttpAnswer SLOW_HELLO = HttpAnswer.of(HttpStatus.OK, "text/plain", bytes(Plaintext.SLOW_BODY));
    private static final HttpAnswer NOT_ALLOWED = HttpAnswer.of(
                    HttpStatus.METHOD_NOT_ALLOWED, "text/plain", bytes("Method Not Allowed\n"))
            .withField("Allow", ALLOWED);
    private static final HttpAnswer NOT_IMPLEMENTED =
            HttpAnswer.of(HttpStatus.NOT_IMPLEMENTED, "text/plain", bytes("Not Implemented\n"));

    private static final List<String> NOT_SERVED =
            List.of("POST", "PUT", "DELETE", "OPTIONS", "PATCH", "CONNECT", "TRACE");

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    static int statusOf(String method) {
        if (method.equals("GET") || method.equals("HEAD")) {
            return HttpStatus.OK;
        }
        return NOT_SERVED.contains(method) ? HttpStatus.METHOD_NOT_ALLOWED : HttpStatus.NOT_IMPLEMENTED;
    }

    public HelloHandler(HandlerWork work) {
        this(work, false);
    }

    @Override
    public void request(HttpExchange exchange) {
        if (exchange.bodyLength() == 0 || exchange.expectsContinue()) {
            answer(exchange);
        } else {
            exchange.body(this);
        }
    }

    @Override
    public void data(HttpExchange exchange, ByteBuffer bytes) {
        // The body is dropped.
    }

    @Override
    public void end(HttpExchange exchange, HttpFields trailers) {
        answer(exchange);
    }

    private void answer(HttpExchange exchange) {
        boolean slow = work.perform() && marksSlow;
        exchange.send(
                switch (statusOf(exchange.method())) {
                    case HttpStatus.OK -> slow ? SLOW_HELLO : HELLO;
                    case HttpStatus.METHOD_NOT_ALLOWED -> NOT_ALLOWED;
                    default -> NOT_IMPLEMENTED;
                });
    }
}
