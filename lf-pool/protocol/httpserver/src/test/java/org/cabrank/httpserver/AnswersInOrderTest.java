package org.cabrank.httpserver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Answers by whichever thread, and handlers that leave the answer to another thread. */
@Timeout(300)
class AnswersInOrderTest {
    /** By the handler, by another thread, in chunks, or behind the body, as the path says. */
    private static void answer(HttpExchange exchange, ExecutorService others) throws IOException {
        String path = exchange.getRequestURI().getPath();
        switch (path.charAt(1)) {
            case 'o' -> others.execute(() -> unchecked(() -> ServerLifeTest.answer(exchange, path)));
            case 'c' -> {
                exchange.sendResponseHeaders(200, 0);
                exchange.getResponseBody().write(path.getBytes());
                exchange.close();
            }
            case 'b' -> {
                int count = exchange.getRequestBody().readAllBytes().length;
                ServerLifeTest.answer(exchange, path + (count == 7 ? "" : "?"));
            }
            default -> ServerLifeTest.answer(exchange, path);
        }
    }

    private interface Step {
        void run() throws IOException;
    }

    private static void unchecked(Step step) {
        try {
            step.run();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @ParameterizedTest
    @MethodSource("org.cabrank.httpserver.ServerMode#all")
    void pipelinedRequestsAreAnsweredInOrder(ServerMode mode) throws Exception {
        ExecutorService others = Executors.newFixedThreadPool(2);
        HttpServer server = mode.start(exchange -> answer(exchange, others));
        try (RawClient client = new RawClient(server)) {
            Random random = new Random(3);
            StringBuilder requests = new StringBuilder();
            String[] paths = new String[300];
            for (int i = 0; i < paths.length; i++) {
                paths[i] = "/" + "aocb".charAt(random.nextInt(4)) + i;
                boolean body = paths[i].charAt(1) == 'b';
                requests.append(body ? "POST " : "GET ").append(paths[i]).append(" HTTP/1.1\r\nHost: a\r\n");
                requests.append(body ? "Content-Length: 7\r\n\r\n1234567" : "\r\n");
            }
            client.send(requests.toString());
            for (String path : paths) {
                assertEquals(path, client.answer().body());
            }
        } finally {
            server.stop(0);
            others.shutdownNow();
        }
    }

    /** Until then the exchange is active; when the client goes, it is not. */
    @Test
    void anExchangeThatNobodyAnswersEndsWithItsClient() throws Exception {
        BlockingQueue<HttpExchange> kept = new LinkedBlockingQueue<>();
        HttpServer server = new ServerMode("epoll", 2).start(kept::add);
        RawClient client = new RawClient(server).get("/");
        HttpExchange exchange = kept.poll(120, TimeUnit.SECONDS);
        assertEquals(1, CabrankHttpServerProvider.counters(server).active());
        client.socket().setSoLinger(true, 0); // a reset: a client that only ends its output still wants the answer
        client.close();
        server.stop(3_600); // returns when no exchange is active, else not before the time-out of this class
        assertEquals(0, CabrankHttpServerProvider.counters(server).active());
        exchange.close();
        assertTrue(kept.isEmpty());
    }
}
