package org.cabrank.httpserver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.spi.HttpServerProvider;
import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A server from its creation to its end. */
@Timeout(300)
class ServerLifeTest {
    private final HttpServerProvider provider = new CabrankHttpServerProvider();

    static void answer(com.sun.net.httpserver.HttpExchange exchange, String text) throws IOException {
        byte[] body = text.getBytes(StandardCharsets.ISO_8859_1);
        exchange.sendResponseHeaders(200, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    @Test
    void theJdkFindsTheProvider() {
        assertEquals(
                CabrankHttpServerProvider.class, HttpServerProvider.provider().getClass());
    }

    @ParameterizedTest
    @MethodSource("org.cabrank.httpserver.ServerMode#all")
    void requestsAreAnsweredOneAfterTheOther(ServerMode mode) throws Exception {
        HttpServer server =
                mode.start(exchange -> answer(exchange, exchange.getRequestURI().getPath()));
        try (RawClient client = new RawClient(server)) {
            for (int i = 0; i < 3; i++) {
                assertEquals("/" + i, client.get("/" + i).answer().body());
            }
            client.send("GET /a HTTP/1.1\r\nHost: a\r\n\r\nGET /b HTTP/1.1\r\nHost: a\r\n\r\n");
            assertEquals("/a", client.answer().body());
            assertEquals("/b", client.answer().body());
            assertEquals(
                    mode.backend(), CabrankHttpServerProvider.reactor(server).backendName());
        } finally {
            server.stop(0);
        }
    }

    @Test
    void aServerIsBoundLater() throws Exception {
        HttpServer server = provider.createHttpServer(null, 0);
        assertNull(server.getAddress());
        assertThrows(IllegalStateException.class, server::start);
        assertThrows(NullPointerException.class, () -> server.bind(null, 0));
        server.bind(ServerMode.anyPort(), 5);
        assertThrows(BindException.class, () -> server.bind(ServerMode.anyPort(), 5));
        assertTrue(server.getAddress().getPort() > 0);
        server.createContext("/", exchange -> answer(exchange, "later"));
        try (RawClient early = new RawClient(server)) { // waits in the backlog
            early.get("/");
            server.start();
            assertEquals("later", early.answer().body());
        }
        assertThrows(IllegalStateException.class, server::start);
        assertThrows(IllegalStateException.class, () -> server.setExecutor(Runnable::run));
        server.stop(0);
        assertThrows(IllegalStateException.class, server::start);
        server.stop(0);
    }

    @Test
    void aServerAtTheWildcardListensForBothFamilies() throws Exception {
        HttpServer server = provider.createHttpServer(new InetSocketAddress(0), 0);
        server.createContext(
                "/",
                exchange -> answer(
                        exchange, exchange.getRemoteAddress().getAddress().getHostAddress()));
        server.start();
        try {
            for (String host : new String[] {"127.0.0.1", "::1"}) {
                try (RawClient client =
                        new RawClient(new Socket(host, server.getAddress().getPort()))) {
                    assertNotNull(client.get("/").answer().body(), host);
                }
            }
        } finally {
            server.stop(0);
        }
    }

    @Test
    void addressesThatCannotBeBoundAreRefused() throws Exception {
        HttpServer first = provider.createHttpServer(ServerMode.anyPort(), 0);
        BindException taken = assertThrows(BindException.class, () -> provider.createHttpServer(first.getAddress(), 0));
        assertTrue(taken.getMessage().contains("another socket has this port"), taken.getMessage());
        assertThrows(
                SocketException.class,
                () -> provider.createHttpServer(InetSocketAddress.createUnresolved("nowhere", 0), 0));
        InetSocketAddress address = first.getAddress();
        first.stop(0); // was never started
        HttpServer second = provider.createHttpServer(address, 0);
        second.stop(0);
        assertThrows(ConnectException.class, () -> new Socket(address.getAddress(), address.getPort()));
    }

    @ParameterizedTest
    @MethodSource("org.cabrank.httpserver.ServerMode#ofSeveralThreads")
    void stopWaitsForExchanges(ServerMode mode) throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        HttpServer server = mode.start(exchange -> {
            begun.countDown();
            await(goOn);
            answer(exchange, "done");
        });
        try (RawClient client = new RawClient(server)) {
            client.get("/");
            await(begun);
            Thread stop = new Thread(() -> server.stop(30));
            stop.start();
            awaitRefusal(server); // the listening socket is closed first
            goOn.countDown();
            RawClient.Answer last = client.answer();
            assertEquals("done", last.body());
            assertEquals("close", last.fields().get("connection"));
            assertTrue(client.isEnded());
            stop.join();
        }
        assertEquals(0, CabrankHttpServerProvider.counters(server).active());
    }

    private static void awaitRefusal(HttpServer server) throws IOException {
        boolean refused = false;
        while (!refused) {
            try {
                new RawClient(server).close();
            } catch (SocketException ended) { // a connection that comes at the last moment is reset
                refused = ended instanceof ConnectException;
            }
        }
    }

    @ParameterizedTest
    @MethodSource("org.cabrank.httpserver.ServerMode#ofSeveralThreads")
    void stopGivesUpWhatTakesLonger(ServerMode mode) throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch ended = new CountDownLatch(1);
        HttpServer server = mode.start(exchange -> {
            begun.countDown();
            try {
                exchange.getRequestBody().readAllBytes();
            } catch (IOException gone) {
                ended.countDown();
            }
        });
        try (RawClient client = new RawClient(server)) {
            client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n" + "x".repeat(70_000));
            await(begun);
            server.stop(0);
            assertTrue(client.isEnded());
            await(ended);
        }
    }

    @Test
    void aHandlerMayStopItsServer() throws Exception {
        HttpServer server = ServerMode.create(HttpServerSettings.DEFAULT);
        server.createContext("/", exchange -> {
            server.stop(5);
            answer(exchange, "bye");
        });
        server.start();
        try (RawClient client = new RawClient(server)) {
            assertEquals("bye", client.get("/").answer().body());
            assertTrue(client.isEnded());
        }
        server.stop(0); // waits for the end
    }

    @Test
    void negativeDelaysAreRefused() throws Exception {
        HttpServer server = provider.createHttpServer(ServerMode.anyPort(), 0);
        assertThrows(IllegalArgumentException.class, () -> server.stop(-1));
        server.stop(0);
    }

    static void await(CountDownLatch latch) {
        try {
            assertTrue(latch.await(120, TimeUnit.SECONDS));
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
