package org.cabrank.httpserver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.cabrank.lf.PoolConfig;
import org.cabrank.lf.fixture.Await;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Handlers that wait for clients, on the threads of the server and on those of an executor. */
@Timeout(300)
@Tag("newest") // on an older JDK in a soak only
class StalledClientsTest {
    private static final int LARGE = 5 << 20;

    /** More than the kernel and the connection take. */
    private static void sendLarge(HttpExchange exchange) throws IOException {
        exchange.sendResponseHeaders(200, LARGE);
        byte[] piece = new byte[100_000];
        for (int left = LARGE; left > 0; left -= piece.length) {
            exchange.getResponseBody().write(piece, 0, Math.min(left, piece.length));
        }
        exchange.close();
    }

    private static HttpServer start(ServerMode mode, Semaphore begun) throws IOException {
        return mode.start(exchange -> {
            switch (exchange.getRequestURI().getPath()) {
                case "/large" -> {
                    begun.release();
                    sendLarge(exchange);
                }
                case "/sum" -> {
                    begun.release();
                    long sum = 0;
                    for (int b = exchange.getRequestBody().read();
                            b >= 0;
                            b = exchange.getRequestBody().read()) {
                        sum += b;
                    }
                    ServerLifeTest.answer(exchange, Long.toString(sum));
                }
                default -> ServerLifeTest.answer(exchange, "hello");
            }
        });
    }

    /** A client whose kernel takes little, and that reads nothing. */
    private static RawClient stalledReader(HttpServer server) throws IOException {
        Socket socket = new Socket();
        socket.setReceiveBufferSize(4 << 10); // before the connection, or the kernel grows the buffer
        socket.connect(server.getAddress());
        return new RawClient(socket).get("/large");
    }

    private static RawClient stalledSender(HttpServer server, int sent) throws IOException {
        return new RawClient(server)
                .send("POST /sum HTTP/1.1\r\nHost: a\r\nContent-Length: 200000\r\n\r\n" + "\1".repeat(sent));
    }

    /**
     * More stalled clients than a fixed number of threads: some park, the last thread serves during its wait, and each gets its answer
     * in the end. A server that grows has a thread for each.
     */
    @ParameterizedTest
    @MethodSource("org.cabrank.httpserver.ServerMode#all")
    void theOthersAreAnsweredBesideStalledClients(ServerMode mode) throws Exception {
        Semaphore begun = new Semaphore(0);
        HttpServer server = start(mode, begun);
        List<RawClient> readers = new ArrayList<>();
        List<RawClient> senders = new ArrayList<>();
        try (RawClient other = new RawClient(server)) {
            for (int i = 0; i < 3; i++) {
                readers.add(stalledReader(server));
                senders.add(stalledSender(server, 70_000));
            }
            assertTrue(begun.tryAcquire(6, 120, TimeUnit.SECONDS)); // all handlers have begun
            for (int i = 0; i < 10; i++) {
                assertEquals("hello", other.get("/").answer().body());
            }
            List<CompletableFuture<String>> sums = new ArrayList<>();
            List<CompletableFuture<String>> bodies = new ArrayList<>();
            for (int i = 0; i < 3; i++) { // all at once, because waits end in the opposite order
                senders.get(i).send("\1".repeat(130_000));
                sums.add(bodyOf(senders.get(i)));
                bodies.add(bodyOf(readers.get(i)));
            }
            for (int i = 0; i < 3; i++) {
                assertEquals("200000", sums.get(i).get());
                assertEquals(LARGE, bodies.get(i).get().length());
            }
            HttpServerCounters counters = CabrankHttpServerProvider.counters(server);
            assertTrue(mode.threads() == 1 || counters.parked() > 0, counters.toString());
            assertTrue(mode.threads() == 0 || counters.served() > 0, counters.toString());
        } finally {
            server.stop(0);
            for (RawClient client : readers) {
                client.close();
            }
            for (RawClient client : senders) {
                client.close();
            }
        }
    }

    private static CompletableFuture<String> bodyOf(RawClient client) {
        return CompletableFuture.supplyAsync(
                () -> {
                    try {
                        return client.answer().body();
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                },
                task -> new Thread(task).start());
    }

    /** More clients than threads send a part of a body each: their handlers take no more than half of the threads, and none is refused. */
    @ParameterizedTest
    @MethodSource("org.cabrank.httpserver.ServerMode#all")
    void handlersOfBodiesThatDoNotComeLeaveThreadsToOthers(ServerMode mode) throws Exception {
        int clients = 100; // a shard that grows has two threads when all these handlers are due
        Semaphore begun = new Semaphore(0);
        HttpServer server = start(mode, begun);
        List<RawClient> stalled = new ArrayList<>();
        try (RawClient other = new RawClient(server)) {
            for (int i = 0; i < clients; i++) {
                stalled.add(new RawClient(server)
                        .send("POST /sum HTTP/1.1\r\nHost: a\r\nContent-Length: 20000\r\n\r\n" + "\1".repeat(1_000)));
            }
            assertEquals("hello", other.get("/").answer().body());
            assertTrue(begun.tryAcquire(120, TimeUnit.SECONDS)); // a handler reads what has come
            for (int i = clients - 1; i >= 0; i--) {
                stalled.get(i).send("\1".repeat(19_000));
                assertEquals("hello", other.get("/").answer().body());
            }
            for (RawClient client : stalled) {
                assertEquals("20000", client.answer().body());
            }
            HttpServerCounters counters = CabrankHttpServerProvider.counters(server);
            assertEquals(0, counters.waitsRefused(), counters.toString());
        } finally {
            server.stop(0);
            for (RawClient client : stalled) {
                client.close();
            }
        }
    }

    /** Clients that send the body, or the rest of it, only if the answer does not refuse it. */
    @ParameterizedTest
    @MethodSource("org.cabrank.httpserver.ServerMode#all")
    void aHandlerMayAnswerBeforeItsBodyComes(ServerMode mode) throws Exception {
        for (ExecutorService executor : new ExecutorService[] {null, Executors.newFixedThreadPool(2)}) {
            HttpServer server = ServerMode.create(mode.settings());
            server.setExecutor(executor);
            server.createContext("/", exchange -> ServerLifeTest.answer(exchange, "early"));
            server.start();
            List<RawClient> clients = new ArrayList<>();
            try {
                for (int i = 0; i < 10; i++) {
                    String head = "POST / HTTP/1.1\r\nHost: a\r\n";
                    clients.add(new RawClient(server).send(head + "Content-Length: 10\r\n\r\n"));
                    clients.add(new RawClient(server).send(head + "Content-Length: 10\r\n\r\npart"));
                    clients.add(new RawClient(server).send(head + "Transfer-Encoding: chunked\r\n\r\n4\r\npart"));
                }
                for (RawClient client : clients) {
                    assertEquals("early", client.answer().body());
                }
            } finally {
                server.stop(0);
                for (RawClient client : clients) {
                    client.close();
                }
                if (executor != null) {
                    executor.shutdownNow();
                }
            }
        }
    }

    private static void echo(HttpExchange exchange) throws IOException {
        exchange.sendResponseHeaders(200, 0);
        for (int b = exchange.getRequestBody().read();
                b >= 0;
                b = exchange.getRequestBody().read()) {
            exchange.getResponseBody().write(b);
            exchange.getResponseBody().flush();
        }
        exchange.close();
    }

    /** A conversation in the two bodies, with the settings that a server has by default. */
    @ParameterizedTest
    @MethodSource("org.cabrank.httpserver.ServerMode#all")
    void aClientMayWaitForAPartOfTheAnswer(ServerMode mode) throws Exception {
        HttpServer server = mode.start(StalledClientsTest::echo);
        try (RawClient client = new RawClient(server)) {
            client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\na");
            assertEquals("", client.readTo("1\r\na\r\n"));
            client.send("b");
            assertEquals("", client.readTo("1\r\nb\r\n"));
            client.send("c");
            assertEquals("", client.readTo("1\r\nc\r\n0\r\n\r\n"));
        } finally {
            server.stop(0);
        }
    }

    @ParameterizedTest
    @MethodSource("org.cabrank.httpserver.ServerMode#all")
    void aHandlerIsCalledAtOnceIfItIsWanted(ServerMode mode) throws Exception {
        HttpServer server = ServerMode.create(mode.settings().withBodyBytesFirst(0));
        server.createContext("/", StalledClientsTest::echo);
        server.start();
        try (RawClient client = new RawClient(server)) {
            client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\na");
            assertEquals("", client.readTo("1\r\na\r\n"));
            client.send("b");
            assertEquals("", client.readTo("1\r\nb\r\n"));
            client.send("c");
            assertEquals("", client.readTo("1\r\nc\r\n0\r\n\r\n"));
        } finally {
            server.stop(0);
        }
    }

    /** A client that sends faster than the handler reads waits: at most 64 KiB, and what one receive brings, are in memory. */
    @ParameterizedTest
    @MethodSource("org.cabrank.httpserver.ServerMode#ofSeveralThreads")
    void theBytesThatWaitForAHandlerAreBounded(ServerMode mode) throws Exception {
        HttpServer server = mode.start(exchange -> {
            int most = 0;
            byte[] piece = new byte[1_000];
            while (exchange.getRequestBody().read(piece) >= 0) {
                most = Math.max(most, exchange.getRequestBody().available());
            }
            ServerLifeTest.answer(exchange, most + "");
        });
        try (RawClient client = new RawClient(server)) {
            client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: " + LARGE + "\r\n\r\n");
            client.socket().getOutputStream().write(new byte[LARGE]);
            int most = Integer.parseInt(client.answer().body());
            assertTrue(most > 30_000 && most <= 128 << 10, most + " bytes");
        } finally {
            server.stop(0);
        }
    }

    @ParameterizedTest
    @MethodSource("org.cabrank.httpserver.ServerMode#all")
    void aWaitingHandlerFailsWhenItsClientHasGone(ServerMode mode) throws Exception {
        BlockingQueue<Exception> thrown = new LinkedBlockingQueue<>();
        Semaphore begun = new Semaphore(0);
        HttpServer server = mode.start(exchange -> {
            begun.release();
            try {
                if (exchange.getRequestMethod().equals("GET")) {
                    sendLarge(exchange);
                } else {
                    exchange.getRequestBody().readAllBytes();
                }
            } catch (IOException gone) {
                thrown.add(gone);
                throw gone;
            }
        });
        try {
            RawClient reader = stalledReader(server);
            assertTrue(begun.tryAcquire(120, TimeUnit.SECONDS));
            reader.close();
            assertTrue(thrown.poll(120, TimeUnit.SECONDS) != null);
            RawClient sender = stalledSender(server, 70_000);
            assertTrue(begun.tryAcquire(120, TimeUnit.SECONDS));
            sender.close();
            assertEquals(
                    "connection closed before all data received",
                    thrown.poll(120, TimeUnit.SECONDS).getMessage());
        } finally {
            server.stop(5);
        }
        assertEquals(0, CabrankHttpServerProvider.counters(server).active());
    }

    /** The depth of waits is bounded: the handler of one client too many is refused, and all handlers before it are served. */
    @Test
    void aWaitBeyondTheLimitResetsItsConnection() throws Exception {
        ServerMode mode = new ServerMode("epoll", 1);
        Semaphore begun = new Semaphore(0);
        HttpServer server = start(mode, begun);
        List<RawClient> readers = new ArrayList<>();
        try (RawClient other = new RawClient(server)) {
            for (int i = 0; i < 17; i++) {
                readers.add(stalledReader(server));
                assertTrue(begun.tryAcquire(120, TimeUnit.SECONDS));
                assertEquals("hello", other.get("/").answer().body());
            }
            RawClient last = readers.get(16);
            assertThrows(IOException.class, last::answer);
            assertEquals(1, CabrankHttpServerProvider.counters(server).waitsRefused());
        } finally {
            server.stop(0);
            for (RawClient client : readers) {
                client.close();
            }
        }
    }

    /** The shard has two threads at first. As many handlers may wait as beside 16 threads, even if all begin at the same moment. */
    @Test
    void aShardThatGrowsIsWaitedForWhereAWaitMightBeRefused() throws Exception {
        int waits = PoolConfig.GROWING_TO + PoolConfig.NESTING_MAX_DEFAULT - 1;
        for (int round = 0; round < 10; round++) { // the more is compiled, the less growth keeps up
            HttpServer server =
                    ServerMode.create(new ServerMode("epoll", 0).settings().withBodyBytesFirst(0));
            server.createContext(
                    "/",
                    exchange -> ServerLifeTest.answer(
                            exchange, exchange.getRequestBody().readAllBytes().length + ""));
            server.start();
            List<RawClient> stalled = new ArrayList<>();
            try {
                for (int i = 0; i < waits; i++) {
                    stalled.add(new RawClient(server));
                }
                for (RawClient client : stalled) {
                    client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\n");
                }
                Await.until("all handlers wait", () -> {
                    HttpServerCounters counters = CabrankHttpServerProvider.counters(server);
                    return counters.parked() + counters.served() == waits;
                });
                for (RawClient client : stalled) {
                    client.send("a");
                }
                for (RawClient client : stalled) {
                    assertEquals("1", client.answer().body());
                }
                HttpServerCounters counters = CabrankHttpServerProvider.counters(server);
                assertEquals(0, counters.waitsRefused(), counters.toString());
            } finally {
                server.stop(0);
                for (RawClient client : stalled) {
                    client.close();
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("org.cabrank.httpserver.ServerMode#all")
    void handlersOfAnExecutorWaitOnItsThreads(ServerMode mode) throws Exception {
        ExecutorService executor = Executors.newFixedThreadPool(4);
        HttpServer server = ServerMode.create(mode.settings());
        server.setExecutor(executor);
        assertEquals(executor, server.getExecutor());
        CountDownLatch begun = new CountDownLatch(2);
        server.createContext("/large", exchange -> {
            begun.countDown();
            sendLarge(exchange);
        });
        server.createContext("/echo", exchange -> {
            begun.countDown();
            byte[] body = exchange.getRequestBody().readAllBytes();
            ServerLifeTest.answer(exchange, Thread.currentThread().getName() + " " + body.length);
        });
        server.start();
        try (RawClient reader = stalledReader(server);
                RawClient sender = new RawClient(server);
                RawClient other = new RawClient(server)) {
            sender.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 200000\r\n\r\n" + "x".repeat(100_000));
            ServerLifeTest.await(begun);
            other.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nab");
            String answer = other.answer().body();
            assertTrue(answer.startsWith("pool-") && answer.endsWith(" 2"), answer);
            sender.send("x".repeat(100_000));
            assertTrue(sender.answer().body().endsWith(" 200000"));
            assertEquals(LARGE, reader.answer().body().length());
            HttpServerCounters counters = CabrankHttpServerProvider.counters(server);
            assertEquals(0, counters.parked() + counters.served(), counters.toString());
        } finally {
            server.stop(0);
            executor.shutdownNow();
        }
    }
}
