package org.cabrank.bench.http;

import java.util.function.Function;
import org.cabrank.http.HttpExchange;
import org.cabrank.http.HttpHandler;
import org.cabrank.http.message.HttpStatus;

/** Answers GET and HEAD with pages that are made for each request. {@code pages} returns null if there is no page for a path. */
public record PageHandler(Function<String, Page> pages) implements HttpHandler {
    private static final Page NOT_FOUND = Page.text(HttpStatus.NOT_FOUND, "not found\n");

    /** Content of an answer, with the HTTP status code. */
    public record Page(int status, String contentType, String content) {
        public static Page text(String content) {
            return text(HttpStatus.OK, content);
        }

        public static Page unavailable(String content) {
            return text(HttpStatus.SERVICE_UNAVAILABLE, content);
        }

        static Page text(int status, String content) {
            return new Page(status, "text/plain; charset=utf-8", content);
        }
    }

    @Override
    public void request(HttpExchange exchange) {
        String method = exchange.method();
        if (!method.equals("GET") && !method.equals("HEAD")) {
            exchange.addField("Allow", HelloHandler.ALLOWED)
                    .send(HttpStatus.METHOD_NOT_ALLOWED, "text/plain", "only GET and HEAD\n");
            return;
        }
        Page page = pages.apply(exchange.path().toString());
        Page shown = page == null ? NOT_FOUND : page;
        exchange.send(shown.status(), shown.contentType(), shown.content());
    }
}
