package org.cabrank.http.example;

import java.io.IOException;
import org.cabrank.http.Http;
import org.cabrank.http.HttpAnswer;
import org.cabrank.http.HttpExchange;
import org.cabrank.http.HttpService;
import org.cabrank.stream.StreamServer;

/** Greets at /hello, and sends back what is sent to /echo. */
public final class GreetingService {
    private static final HttpAnswer HELLO = HttpAnswer.text(200, "hello\n"); // made once, sent any number of times
    private static final HttpAnswer NOT_FOUND = HttpAnswer.text(404, "not found\n");

    public static void main(String[] args) throws Exception {
        try (StreamServer server = start(8080)) {
            Runtime.getRuntime().addShutdownHook(new Thread(server::close)); // SIGTERM drains
            server.awaitTermination();
        }
    }

    static StreamServer start(int port) throws IOException {
        HttpService service = Http.server(GreetingService::serve);
        return StreamServer.builder().listen("127.0.0.1", port).handler(service).start();
    }

    private static void serve(HttpExchange exchange) {
        if (exchange.path().is("/hello")) {
            exchange.send(HELLO);
        } else if (exchange.path().is("/echo") && exchange.method().equals("POST")) {
            exchange.wholeBody(64 << 10, (own, body) -> own.send(200, "application/octet-stream", body));
        } else {
            exchange.send(NOT_FOUND);
        }
    }
}
