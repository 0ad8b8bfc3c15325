package org.cabrank.httpserver;

import java.net.URISyntaxException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executor;
import org.cabrank.http.HttpExchange;
import org.cabrank.http.HttpHandler;
import org.cabrank.http.message.HttpStatus;

final class RequestDispatch implements HttpHandler {
    private static final String HTML = "text/html";

    private final ContextTable contexts;
    private final ServedExchanges exchanges;
    private final HandlerExecutor executor;

    RequestDispatch(ContextTable contexts, ServedExchanges exchanges, Executor executor) {
        this.contexts = contexts;
        this.exchanges = exchanges;
        this.executor = new HandlerExecutor(executor, exchanges.settings.shards(), exchanges.settings.threadsMax());
    }

    @Override
    public void request(HttpExchange exchange) {
        RequestTarget target;
        try {
            target = new RequestTarget(exchange.target().toString());
        } catch (URISyntaxException wrong) {
            refuse(exchange, HttpStatus.BAD_REQUEST, "URISyntaxException thrown");
            return;
        }
        ServedContext context = target.path() == null ? null : contexts.find(target.path());
        if (context == null) {
            refuse(exchange, HttpStatus.NOT_FOUND, "No context found for request");
        } else if (context.getHandler() == null) {
            refuse(exchange, HttpStatus.INTERNAL_SERVER_ERROR, "No handler for context");
        } else {
            new ServedExchange(exchange, target, context, exchanges, executor).begin();
        }
    }

    static void refuse(HttpExchange exchange, int status, String detail) {
        String page = "<h1>" + status + " " + HttpStatus.reason(status) + "</h1>" + detail;
        exchange.closeAfterwards().send(status, HTML, ByteBuffer.wrap(page.getBytes(StandardCharsets.ISO_8859_1)));
    }
}
