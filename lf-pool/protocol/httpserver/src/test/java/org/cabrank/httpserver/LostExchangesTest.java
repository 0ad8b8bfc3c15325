package org.cabrank.httpserver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.Authenticator;
import com.sun.net.httpserver.Filter;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.cabrank.lf.fixture.Await;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Executors, handlers and filters that fail: each request gets an answer or the end of its connection, and each exchange completes. */
@Timeout(300)
class LostExchangesTest {
    /** A request without a body, one whose body is there, and one whose body is still to come when its handler is called. */
    private static final List<String> REQUESTS = List.of(
            "GET / HTTP/1.1\r\nHost: a\r\n\r\n",
            "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nab",
            "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 200000\r\n\r\n" + "x".repeat(70_000));

    static Stream<ServerMode> modes() {
        return ServerMode.all();
    }

    private static HttpServer start(ServerMode mode, Executor executor, HttpHandler handler) throws IOException {
        HttpServer server = ServerMode.create(mode.settings());
        server.setExecutor(executor);
        server.createContext("/", handler);
        server.start();
        return server;
    }

    private static HttpServerCounters counters(HttpServer server) {
        return CabrankHttpServerProvider.counters(server);
    }

    private static void awaitNone(HttpServer server) throws InterruptedException {
        Await.until("no exchange is active", () -> counters(server).active() == 0);
    }

    @ParameterizedTest
    @MethodSource("modes")
    void aRequestThatTheExecutorDoesNotTakeIsAnswered(ServerMode mode) throws Exception {
        List<Throwable> thrown = List.of(
                new OutOfMemoryError("unable to create native thread"),
                new RejectedExecutionException("full"),
                new StackOverflowError(),
                new NoClassDefFoundError("Task"));
        AtomicInteger next = new AtomicInteger();
        HttpServer server = start(
                mode,
                task -> LostExchangesTest.<RuntimeException>sneak(thrown.get(next.getAndIncrement() % thrown.size())),
                exchange -> ServerLifeTest.answer(exchange, "never"));
        try {
            for (String request : REQUESTS) {
                for (int i = 0; i < thrown.size(); i++) {
                    try (RawClient client = new RawClient(server).send(request)) {
                        assertEquals(503, client.answer().status());
                        assertTrue(client.isEnded());
                    }
                }
            }
            awaitNone(server);
            assertEquals(REQUESTS.size() * thrown.size(), counters(server).rejected());
        } finally {
            server.stop(0);
        }
    }

    @SuppressWarnings("unchecked")
    private static <T extends Throwable> void sneak(Throwable thrown) throws T {
        throw (T) thrown;
    }

    /** As a pool may that fails to begin a thread: the refused task stands in its queue all the same. */
    @ParameterizedTest
    @MethodSource("modes")
    void aTaskThatTheExecutorHasRefusedAndKeptCallsNoHandler(ServerMode mode) throws Exception {
        BlockingQueue<Runnable> keptTasks = new LinkedBlockingQueue<>();
        AtomicInteger called = new AtomicInteger();
        HttpServer server = start(
                mode,
                task -> {
                    keptTasks.add(task);
                    throw new OutOfMemoryError("unable to create native thread");
                },
                exchange -> called.incrementAndGet());
        try (RawClient client = new RawClient(server).get("/")) {
            assertEquals(503, client.answer().status());
            keptTasks.poll(120, TimeUnit.SECONDS).run();
            assertTrue(client.isEnded());
            assertEquals(0, called.get());
            awaitNone(server);
        } finally {
            server.stop(0);
        }
    }

    /** The executor has run the handler before it throws: the handler's answer counts. */
    @ParameterizedTest
    @MethodSource("modes")
    void anExecutorThatFailsBehindTheHandlerCostsNoAnswer(ServerMode mode) throws Exception {
        HttpServer server = start(
                mode,
                task -> {
                    task.run();
                    throw new OutOfMemoryError("on purpose");
                },
                exchange -> ServerLifeTest.answer(exchange, "answered"));
        try (RawClient client = new RawClient(server)) {
            for (int i = 0; i < 3; i++) {
                assertEquals("answered", client.get("/").answer().body());
            }
        } finally {
            server.stop(0);
        }
    }

    /** As {@link java.util.concurrent.ThreadPoolExecutor.DiscardPolicy} does. */
    @ParameterizedTest
    @MethodSource("modes")
    void theExchangeOfATaskThatTheExecutorDropsEndsWithItsClient(ServerMode mode) throws Exception {
        HttpServer server = start(mode, task -> {}, exchange -> ServerLifeTest.answer(exchange, "never"));
        try {
            for (String request : REQUESTS) {
                try (RawClient client = new RawClient(server).send(request)) {
                    Await.until("the request has come", () -> counters(server).active() == 1);
                    client.socket().setSoLinger(true, 0);
                }
                awaitNone(server);
            }
        } finally {
            server.stop(0);
        }
    }

    /** Errors and exceptions, of handlers and of filters, on threads of the server, of their caller and of a pool. */
    @ParameterizedTest
    @MethodSource("modes")
    void whateverAHandlerOrAFilterThrowsIsAnswered(ServerMode mode) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(2, task -> {
            Thread thread = new Thread(task);
            thread.setUncaughtExceptionHandler((failed, thrown) -> {}); // on purpose
            return thread;
        });
        List<Throwable> thrown = List.of(
                new AssertionError("on purpose"),
                new StackOverflowError(),
                new IllegalStateException("on purpose"),
                new IOException("on purpose"));
        try {
            for (int on = 0; on < 3; on++) {
                HttpServer server = ServerMode.create(mode.settings());
                server.setExecutor(on == 0 ? null : on == 1 ? Runnable::run : pool);
                AtomicInteger next = new AtomicInteger();
                server.createContext(
                        "/",
                        exchange -> LostExchangesTest.<RuntimeException>sneak(
                                thrown.get(next.getAndIncrement() % thrown.size())));
                server.createContext("/filter", exchange -> ServerLifeTest.answer(exchange, "never"))
                        .getFilters()
                        .add(new Throwing(thrown, next));
                server.start();
                try {
                    for (String path : List.of("/", "/filter")) {
                        for (int i = 0; i < thrown.size(); i++) {
                            for (String request : REQUESTS) {
                                try (RawClient client =
                                        new RawClient(server).send(request.replace(" / ", " " + path + " "))) {
                                    assertEquals(500, client.answer().status());
                                    assertTrue(client.isEnded());
                                }
                            }
                        }
                    }
                    awaitNone(server);
                    assertEquals(
                            2 * thrown.size() * REQUESTS.size(),
                            counters(server).handlerFailures());
                } finally {
                    server.stop(0);
                }
            }
        } finally {
            pool.shutdownNow();
        }
    }

    @ParameterizedTest
    @MethodSource("modes")
    void anAuthenticatorWithoutAResultIsAFailure(ServerMode mode) throws Exception {
        HttpServer server = ServerMode.create(mode.settings());
        server.createContext("/", exchange -> ServerLifeTest.answer(exchange, "never"))
                .setAuthenticator(new Authenticator() {
                    @Override
                    public Result authenticate(HttpExchange exchange) {
                        return null;
                    }
                });
        server.start();
        try (RawClient client = new RawClient(server).get("/")) {
            assertEquals(500, client.answer().status());
            awaitNone(server);
        } finally {
            server.stop(0);
        }
    }

    /** Streams of a filter that do not close the ones below, or fail when they are closed: {@code close} of the exchange ends it all the same. */
    @ParameterizedTest
    @MethodSource("modes")
    void aWrappedStreamDoesNotKeepTheExchange(ServerMode mode) throws Exception {
        ExecutorService later = Executors.newSingleThreadExecutor();
        HttpServer server = start(mode, null, exchange -> {
            boolean fails = exchange.getRequestURI().getPath().equals("/fails");
            exchange.setStreams(null, new FilterOutputStream(exchange.getResponseBody()) {
                @Override
                public void close() {
                    if (fails) {
                        throw new IllegalStateException("on purpose");
                    }
                }
            });
            exchange.sendResponseHeaders(200, fails ? 100 : 5);
            exchange.getResponseBody().write(new byte[5]);
            later.execute(exchange::close);
        });
        try {
            try (RawClient client = new RawClient(server)) {
                for (int i = 0; i < 3; i++) {
                    assertEquals(5, client.get("/").answer().body().length());
                }
            }
            try (RawClient client = new RawClient(server).get("/fails")) {
                assertTrue(client.isEnded());
            }
            awaitNone(server);
        } finally {
            server.stop(0);
            later.shutdownNow();
        }
    }

    private static final class Throwing extends Filter {
        private final List<Throwable> thrown;
        private final AtomicInteger next;

        Throwing(List<Throwable> thrown, AtomicInteger next) {
            this.thrown = thrown;
            this.next = next;
        }

        @Override
        public void doFilter(HttpExchange exchange, Chain chain) {
            LostExchangesTest.<RuntimeException>sneak(thrown.get(next.getAndIncrement() % thrown.size()));
        }

        @Override
        public String description() {
            return "throws";
        }
    }
}
