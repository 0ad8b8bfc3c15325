package org.cabrank.http.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import org.cabrank.http.Http;
import org.cabrank.http.HttpExchange;
import org.cabrank.http.HttpService;
import org.cabrank.http.ServerModes;
import org.cabrank.http.message.HttpFields;
import org.cabrank.lf.fixture.Await;
import org.cabrank.stream.Backend;
import org.cabrank.stream.ConnectOptions;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.StreamReactor;
import org.cabrank.stream.StreamServer;
import org.cabrank.stream.testkit.EmbeddedConnection;
import org.cabrank.tls.Tls;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Calls that wait for a connection or for its making: each ends, whatever fails, and in time. */
@Timeout(300)
class WaitingCallsTest {
    private static final String EMPTY = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";

    /** More than a stack has room for, at a few frames for each. */
    private static final int MANY = 5_000;

    private static final Duration SHORT = Duration.ofMillis(20);

    private final EmbeddedServers servers = new EmbeddedServers();
    private final AtomicReference<HttpConnector> connector = new AtomicReference<>(servers);
    private final HttpClient client = HttpClient.over(
                    (host, port, handler) -> connector.get().connect(host, port, handler))
            .withOptions(HttpClientOptions.DEFAULT
                    .withConnectionsMax(1)
                    .withWaitingMax(MANY)
                    .withTimeout(Duration.ZERO));

    @AfterEach
    void close() {
        client.close();
        servers.close();
    }

    private CompletableFuture<HttpResponse> send() {
        return client.send(HttpCall.get("http://a"));
    }

    private CompletableFuture<HttpResponse> sendWithTimeout() {
        return client.send(HttpCall.get("http://a").withTimeout(SHORT));
    }

    private static Throwable failureOf(CompletableFuture<?> call) {
        return assertThrows(ExecutionException.class, () -> call.get(120, TimeUnit.SECONDS))
                .getCause();
    }

    /** The client makes connections again. */
    private void assertServes() {
        connector.set(servers);
        CompletableFuture<HttpResponse> call = send();
        servers.last().peerSends(EMPTY);
        assertEquals(200, call.join().status());
        assertEquals(1, client.connections());
    }

    // ---- failures ----

    static Stream<HttpConnector> failingConnectors() {
        return Stream.of(
                (host, port, handler) -> CompletableFuture.failedFuture(new IOException("refused")),
                (host, port, handler) -> {
                    throw new IllegalStateException("refused");
                },
                (host, port, handler) -> {
                    throw new StackOverflowError("refused");
                },
                (host, port, handler) -> null,
                (host, port, handler) -> {
                    handler.closed(null, null); // the connection is gone before the call has returned
                    return new CompletableFuture<>();
                });
    }

    @ParameterizedTest
    @MethodSource("failingConnectors")
    void eachWaitingCallFailsIfNoConnectionCanBeMade(HttpConnector failing) {
        CompletableFuture<HttpResponse> first = send();
        List<CompletableFuture<HttpResponse>> waiting =
                Stream.generate(this::send).limit(MANY).toList();
        connector.set(failing);
        servers.last().peerResets();
        failureOf(first);
        waiting.forEach(WaitingCallsTest::failureOf);
        assertEquals(0, client.connections());
        assertEquals(0, client.servers());
        assertServes();
    }

    @Test
    void aHandlerThatThrowsLeavesTheOthersTheirConnections() {
        connector.set((host, port, handler) -> CompletableFuture.failedFuture(new IOException("refused")));
        client.send(HttpCall.get("http://a"), new HttpResponseHandler() {
            @Override
            public void head(HttpTransfer transfer, int status, HttpFields fields) {}

            @Override
            public void data(HttpTransfer transfer, ByteBuffer bytes) {}

            @Override
            public void end(HttpTransfer transfer, HttpFields trailers) {}

            @Override
            public void failed(Throwable cause) {
                throw new StackOverflowError("of the handler");
            }
        });
        assertEquals(0, client.connections());
        assertServes();
    }

    static Stream<ServerModes> modes() {
        return ServerModes.all();
    }

    @ParameterizedTest
    @MethodSource("modes")
    void eachWaitingCallEndsIfTheServerClosesAndListensNoMore(ServerModes mode) throws Exception {
        try (StreamReactor reactor = StreamReactor.builder()
                        .backend(Backend.named(mode.backend()))
                        .threadsPerShard(mode.threads())
                        .start();
                HttpClient own = Http.client(reactor)
                        .withOptions(
                                HttpClientOptions.DEFAULT.withConnectionsMax(2).withWaitingMax(MANY))) {
            List<CompletableFuture<HttpResponse>> calls = new ArrayList<>();
            try (ServerSocket listening = new ServerSocket(0, 16, InetAddress.getLoopbackAddress())) {
                HttpCall call = HttpCall.get("http://127.0.0.1:" + listening.getLocalPort());
                for (int i = 0; i < 4_000; i++) {
                    calls.add(own.send(call));
                }
                try (Socket first = listening.accept();
                        Socket second = listening.accept()) {
                    first.setSoLinger(true, 0);
                    second.setSoLinger(true, 0);
                }
            }
            for (CompletableFuture<HttpResponse> each : calls) {
                assertInstanceOf(IOException.class, failureOf(each));
            }
        }
    }

    /** A call that was not sent may be sent, whatever its method. */
    @Test
    void aCallThatMeetsTheEndOfItsConnectionIsSentOnAnother() {
        CompletableFuture<HttpResponse> first = send();
        EmbeddedConnection ended = servers.last();
        ended.peerSends(EMPTY);
        first.join();
        AtomicReference<CompletableFuture<HttpResponse>> posted = new AtomicReference<>();
        ended.connection().execute(() -> {
            ended.connection().abort();
            posted.set(client.send(HttpCall.post("http://a", "text/plain", "x")));
        });
        ended.awaitIdle();
        assertEquals(2, servers.connections());
        servers.last().peerSends(EMPTY);
        assertEquals(200, posted.get().join().status());
    }

    @Test
    void aCallDoesNotWaitForTheEndOfAConnectionThatTheClientCloses() {
        CompletableFuture<HttpResponse> first = send();
        CompletableFuture<HttpResponse> second = send();
        servers.last().peerSends("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
        assertEquals(200, first.join().status());
        assertFalse(servers.connection(0).isClosed()); // the server has not ended its side
        servers.connection(1).peerSends(EMPTY);
        assertEquals(200, second.join().status());
        assertEquals(1, client.connections());
        servers.connection(0).peerEnds();
        assertTrue(servers.connection(0).isClosed());
        assertEquals(1, client.connections());
    }

    private static void serveBadly(HttpExchange exchange) {
        switch (exchange.query()) {
            case "answer" -> exchange.send(200);
            case "close" -> {
                exchange.send(200);
                exchange.connection().close();
            }
            case "reset" -> exchange.detach().connection().abort();
            default -> exchange.detach(); // no answer
        }
    }

    /** Calls with short time-outs, a part of which is cancelled, to a server that answers, closes, resets or is silent. */
    @ParameterizedTest
    @MethodSource("modes")
    void eachCallEndsAndNoConnectionIsLostHoweverTheServerAndTheCallersBehave(ServerModes mode) throws Exception {
        HttpClientOptions options =
                HttpClientOptions.DEFAULT.withConnectionsMax(3).withIdle(Duration.ofMillis(2));
        try (StreamServer server = mode.start(WaitingCallsTest::serveBadly);
                HttpClient own = Http.client(server.reactor()).withOptions(options)) {
            String uri = "http://127.0.0.1:" + server.port() + "/?";
            List<CompletableFuture<Void>> senders = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                SplittableRandom random = new SplittableRandom(i);
                senders.add(CompletableFuture.runAsync(() -> {
                    for (int n = 0; n < 300; n++) {
                        String query = List.of("answer", "answer", "close", "reset", "silent")
                                .get(random.nextInt(5));
                        CompletableFuture<HttpResponse> call = own.send(
                                HttpCall.get(uri + query).withTimeout(Duration.ofMillis(1 + random.nextInt(10))));
                        if (random.nextInt(4) == 0) {
                            call.cancel(false);
                        } else if (random.nextInt(4) > 0) {
                            call.handle((response, failure) -> null)
                                    .orTimeout(120, TimeUnit.SECONDS)
                                    .join();
                        }
                    }
                }));
            }
            for (CompletableFuture<Void> sender : senders) {
                sender.get(120, TimeUnit.SECONDS);
            }
            Await.until("no connection is left", () -> own.connections() == 0 && own.servers() == 0);
            assertEquals(
                    200,
                    own.send(HttpCall.get(uri + "answer"))
                            .get(120, TimeUnit.SECONDS)
                            .status());
        }
    }

    // ---- time-outs ----

    @Test
    void aCallThatWaitsForAConnectionFailsInTime() {
        CompletableFuture<HttpResponse> first = send();
        assertInstanceOf(TimeoutException.class, failureOf(sendWithTimeout()));
        CompletableFuture<HttpResponse> third = send();
        servers.last().peerSends(EMPTY);
        assertEquals(200, first.join().status());
        servers.last().peerSends(EMPTY);
        assertEquals(200, third.join().status());
        assertEquals(2, servers.last().peerReceives().split("GET ", -1).length - 1);
    }

    @Test
    void aCallWhoseConnectionIsNotMadeFailsInTimeAndTheNextHasItsPlace() {
        CompletableFuture<Connection> never = new CompletableFuture<>();
        connector.set((host, port, handler) -> never);
        CompletableFuture<HttpResponse> late = sendWithTimeout();
        connector.set(servers);
        CompletableFuture<HttpResponse> waiting = send();
        assertInstanceOf(TimeoutException.class, failureOf(late));
        assertTrue(never.isCancelled());
        servers.last().peerSends(EMPTY);
        assertEquals(200, waiting.join().status());
    }

    /** The connector does not end its attempt. */
    @Test
    void aConnectionThatIsMadeTooLateIsReset() {
        AtomicReference<ConnectionHandler> late = new AtomicReference<>();
        connector.set((host, port, handler) -> {
            late.set(handler);
            return new CompletableFuture<>();
        });
        assertInstanceOf(TimeoutException.class, failureOf(sendWithTimeout()));
        try (EmbeddedConnection connection = EmbeddedConnection.open(late.get())) {
            assertTrue(connection.isClosed());
            assertEquals("", connection.peerReceives());
        }
        assertServes();
    }

    /** The connection has been given the next call, and is in a callback that blocks. */
    @Test
    void aCallFailsInTimeBehindAHandlerThatBlocks() throws Exception {
        CountDownLatch over = new CountDownLatch(1);
        CountDownLatch blocks = new CountDownLatch(1);
        CompletableFuture<HttpResponse> first = send();
        CompletableFuture<Void> blocked = first.thenAccept(response -> {
            blocks.countDown();
            try {
                over.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        CompletableFuture<Void> server =
                CompletableFuture.runAsync(() -> servers.last().peerSends(EMPTY));
        blocks.await();
        CompletableFuture<HttpResponse> late = sendWithTimeout();
        assertInstanceOf(TimeoutException.class, failureOf(late));
        assertFalse(blocked.isDone());
        over.countDown();
        server.join();
        assertServes();
        assertEquals(1, servers.connections());
    }

    /** The time-out of a close would begin now, and the rest of the request would never be taken. */
    @Test
    void aCallFailsAtOnceWhenTheServerHasEndedItsOutput() {
        CompletableFuture<HttpResponse> first = send();
        EmbeddedConnection server = servers.last();
        server.peerSends(EMPTY);
        first.join();
        server.peerTakes(0);
        CompletableFuture<HttpResponse> call = client.send(HttpCall.post("http://a", "text/plain", "x"));
        server.peerSends("HTTP/1.1 200 OK\r\n");
        server.peerEnds();
        assertInstanceOf(EOFException.class, failureOf(call));
        assertTrue(server.isClosed());
    }

    /** The server accepts connections, and never answers a handshake. */
    @Test
    void aCallWhoseConnectionHasNoHandshakeFailsInTime() throws Exception {
        SSLContext context = SSLContext.getDefault();
        try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                StreamReactor reactor = StreamReactor.builder().start();
                HttpClient own = Http.client(reactor)
                        .withSecure((host, port, handler) -> Tls.client(context, host, port)
                                .handshakeTimeout(Duration.ofMinutes(10))
                                .build()
                                .connect(
                                        reactor, new InetSocketAddress(host, port), ConnectOptions.DEFAULT, handler))) {
            HttpCall call = HttpCall.get("https://127.0.0.1:" + silent.getLocalPort());
            assertInstanceOf(TimeoutException.class, failureOf(own.send(call.withTimeout(SHORT))));
            Await.until("the attempt has ended", () -> reactor.connections().isEmpty() && own.connections() == 0);
        }
    }

    @ParameterizedTest
    @MethodSource("modes")
    void aHandlerThatWaitsNoLongerEndsItsCall(ServerModes mode) throws Exception {
        AtomicReference<HttpClient> inner = new AtomicReference<>();
        HttpCall silent = HttpCall.get("http://127.0.0.1/silent").withTimeout(Duration.ZERO);
        HttpService service = Http.server(exchange -> {
            if (exchange.path().is("/silent")) {
                exchange.detach();
                return;
            }
            try {
                inner.get().await(exchange.connection(), silent, SHORT);
            } catch (TimeoutException late) {
                exchange.send(504);
            }
        });
        try (StreamServer server = mode.start(service);
                HttpClient own = HttpClient.over((host, port, handler) ->
                        server.reactor().connect(server.localAddress(), ConnectOptions.DEFAULT, handler));
                HttpClient outer = Http.client(server.reactor())) {
            inner.set(own);
            CompletableFuture<HttpResponse> answer = outer.send(HttpCall.get("http://127.0.0.1:" + server.port()));
            assertEquals(504, answer.get(120, TimeUnit.SECONDS).status());
            Await.until("the connection of the silent call is gone", () -> own.connections() == 0);
        }
    }

    // ---- cancellation ----

    @Test
    void aWaitingCallThatIsCancelledIsNotSent() {
        CompletableFuture<HttpResponse> first = send();
        CompletableFuture<HttpResponse> cancelled = send();
        CompletableFuture<HttpResponse> third = client.send(HttpCall.get("http://a/third"));
        assertTrue(cancelled.cancel(false));
        servers.last().peerSends(EMPTY);
        assertEquals(200, first.join().status());
        servers.last().peerSends(EMPTY);
        assertEquals(200, third.join().status());
        String sent = servers.last().peerReceives();
        assertEquals(2, sent.split("GET ", -1).length - 1, sent);
        assertTrue(sent.contains("GET /third "), sent);
    }

    @Test
    void aCallThatIsCancelledResetsItsConnectionAndIsNotSentOnceMore() {
        CompletableFuture<HttpResponse> first = send();
        servers.last().peerSends(EMPTY);
        first.join();
        CompletableFuture<HttpResponse> cancelled = send(); // on a kept connection
        servers.last().awaitIdle();
        assertTrue(cancelled.cancel(false));
        assertTrue(servers.last().isClosed());
        assertEquals(1, servers.connections());
        assertServes();
    }

    @Test
    void aCallThatIsCancelledEndsItsAttemptToConnect() {
        AtomicInteger attempts = new AtomicInteger();
        CompletableFuture<Connection> never = new CompletableFuture<>();
        connector.set((host, port, handler) -> {
            attempts.incrementAndGet();
            return never;
        });
        assertTrue(send().cancel(false));
        assertTrue(never.isCancelled());
        assertEquals(1, attempts.get());
        assertEquals(0, client.connections());
        assertServes();
    }
}
