package org.cabrank.http.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.cabrank.http.Http;
import org.cabrank.http.HttpExchange;
import org.cabrank.http.HttpService;
import org.cabrank.http.ServerModes;
import org.cabrank.stream.StreamReactor;
import org.cabrank.stream.StreamServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The client against the server of this module, and against servers that send exact bytes. */
@Timeout(300)
class HttpClientTest {
    private static StreamReactor reactor;

    @BeforeAll
    static void start() throws IOException {
        reactor = StreamReactor.builder().start();
    }

    @AfterAll
    static void stop() {
        reactor.close();
    }

    static Stream<ServerModes> modes() {
        return ServerModes.all();
    }

    private static String base(StreamServer server) {
        return "http://127.0.0.1:" + server.port();
    }

    private static <T> T get(CompletableFuture<T> future) throws Exception {
        return future.get(120, TimeUnit.SECONDS);
    }

    private static void echo(HttpExchange exchange) {
        exchange.addField("X-Method", exchange.method());
        exchange.wholeBody(1 << 20, (own, body) -> own.send(200, "text/plain", body));
    }

    @ParameterizedTest
    @MethodSource("modes")
    void requestsAndResponsesOfEachMethodArrive(ServerModes mode) throws Exception {
        try (StreamServer server = mode.start(HttpClientTest::echo);
                HttpClient client = Http.client(server.reactor())) {
            for (int i = 0; i < 3; i++) {
                HttpResponse posted = get(client.send(HttpCall.post(base(server) + "/a?b", "text/plain", "hello")));
                assertEquals(200, posted.status());
                assertEquals("hello", posted.text());
                assertEquals("POST", posted.field("x-method"));
                HttpResponse got = get(client.send(HttpCall.get(base(server))));
                assertEquals("", got.text());
                assertEquals("text/plain", got.field("Content-Type"));
            }
            HttpCall head = HttpCall.of("HEAD", java.net.URI.create(base(server)));
            assertEquals("HEAD", get(client.send(head)).field("X-Method"));
            assertEquals(
                    "BREW", get(client.send(HttpCall.of("BREW", head.uri()))).field("X-Method"));
            assertEquals(1, client.connections());
        }
    }

    /** A handler calls another service on the same threads: with one thread, no other server could. */
    @ParameterizedTest
    @MethodSource("modes")
    void aHandlerWaitsForAnotherServiceOnTheSameThreads(ServerModes mode) throws Exception {
        HttpClient[] client = {null};
        String[] address = {null};
        HttpService service = Http.server(exchange -> {
            if (exchange.path().is("/inner")) {
                exchange.send(200, null, "inner" + exchange.query());
            } else {
                String query = exchange.query();
                HttpResponse inner = client[0].await(
                        exchange.connection(), HttpCall.get(address[0] + "/inner?" + query), Duration.ofSeconds(30));
                exchange.send(200, null, "outer " + inner.text() + " " + exchange.path());
            }
        });
        try (StreamServer server = mode.start(service);
                HttpClient outside = Http.client(reactor);
                HttpClient inside = Http.client(server.reactor())) {
            client[0] = inside;
            address[0] = base(server);
            List<CompletableFuture<HttpResponse>> responses = new ArrayList<>();
            for (int i = 0; i < 12; i++) {
                responses.add(outside.send(HttpCall.get(base(server) + "/outer?" + i)));
            }
            for (int i = 0; i < 12; i++) {
                assertEquals(
                        "outer inner" + i + " /outer", get(responses.get(i)).text());
            }
        }
    }

    @Test
    void connectionsAndWaitingRequestsAreBounded() throws Exception {
        List<HttpExchange> kept = java.util.Collections.synchronizedList(new ArrayList<>());
        HttpClientOptions options =
                HttpClientOptions.DEFAULT.withConnectionsMax(2).withWaitingMax(1);
        try (StreamServer server = new ServerModes("epoll", 1).start(exchange -> {
                    kept.add(exchange.detach());
                    synchronized (kept) {
                        kept.notifyAll();
                    }
                });
                HttpClient client = Http.client(reactor).withOptions(options)) {
            List<CompletableFuture<HttpResponse>> sent = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                sent.add(client.send(HttpCall.get(base(server) + "/" + i)));
            }
            ExecutionException refused = assertThrows(ExecutionException.class, () -> get(sent.get(3)));
            assertEquals(RejectedExecutionException.class, refused.getCause().getClass());
            for (int i = 0; i < 3; i++) {
                synchronized (kept) {
                    while (kept.isEmpty()) {
                        kept.wait();
                    }
                    kept.remove(0).send(200);
                }
            }
            for (int i = 0; i < 3; i++) {
                assertEquals(200, get(sent.get(i)).status());
            }
            assertEquals(2, client.connections());
        }
    }

    @Test
    void aResponseThatTakesTooLongFails() throws Exception {
        try (StreamServer server = new ServerModes("epoll", 1).start(HttpExchange::detach);
                HttpClient client = Http.client(reactor)) {
            HttpCall call = HttpCall.get(base(server)).withTimeout(Duration.ofMillis(50));
            ExecutionException late = assertThrows(ExecutionException.class, () -> get(client.send(call)));
            assertEquals(TimeoutException.class, late.getCause().getClass());
        }
    }

    @Test
    void aServerThatDoesNotListenFails() throws Exception {
        int port;
        try (ServerSocket unused = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = unused.getLocalPort();
        }
        try (HttpClient client = Http.client(reactor)) {
            ExecutionException refused = assertThrows(
                    ExecutionException.class, () -> get(client.send(HttpCall.get("http://127.0.0.1:" + port))));
            assertTrue(refused.getCause() instanceof IOException, refused.toString());
            assertEquals(0, client.connections());
            ExecutionException secure = assertThrows(
                    ExecutionException.class, () -> get(client.send(HttpCall.get("https://127.0.0.1:" + port))));
            assertTrue(secure.getMessage().contains("withSecure"), secure.toString());
        }
    }

    /** Serves connections one after the other: reads a request and sends exact bytes, then ends. */
    private static final class RawServer implements AutoCloseable {
        private final ServerSocket listener = new ServerSocket(0, 16, InetAddress.getLoopbackAddress());
        private final List<String> requests = java.util.Collections.synchronizedList(new ArrayList<>());
        private final Thread thread;

        /** @param answers of each connection: one for each of its requests */
        RawServer(String[]... answers) throws IOException {
            thread = new Thread(() -> serve(answers), "raw server");
            thread.start();
        }

        private void serve(String[][] answers) {
            for (String[] ofConnection : answers) {
                try (Socket client = listener.accept()) {
                    for (String answer : ofConnection) {
                        StringBuilder request = new StringBuilder();
                        while (request.indexOf("\r\n\r\n") < 0) {
                            int c = client.getInputStream().read();
                            if (c < 0) {
                                return;
                            }
                            request.append((char) c);
                        }
                        requests.add(request.toString());
                        client.getOutputStream().write(answer.getBytes(StandardCharsets.ISO_8859_1));
                    }
                } catch (IOException closed) {
                    return;
                }
            }
        }

        String base() {
            return "http://127.0.0.1:" + listener.getLocalPort();
        }

        @Override
        public void close() throws IOException {
            listener.close();
            try {
                thread.join();
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "'HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc', 200, abc",
        "'HTTP/1.1 200\r\nContent-Length: 3\r\n\r\nabc', 200, abc",
        "'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n2;x\r\nbc\r\n0\r\nT: 1\r\n\r\n', 200, abc",
        "'HTTP/1.1 200 OK\r\n\r\nabc', 200, abc",
        "'HTTP/1.0 200 OK\r\n\r\nabc', 200, abc",
        "'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: a\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n', 200, ''",
        "'HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\n', 204, ''",
        "'HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\n', 304, ''",
        "'HTTP/1.1 404 \r\nContent-Length: 1\r\nConnection: close\r\n\r\nx', 404, x"
    })
    void responsesOfEachFramingAreRead(String bytes, int status, String body) throws Exception {
        try (RawServer server = new RawServer(new String[][] {{bytes}});
                HttpClient client = Http.client(reactor)) {
            HttpResponse response = get(client.send(HttpCall.get(server.base())));
            assertEquals(status, response.status());
            assertEquals(body, response.text());
        }
    }

    @ParameterizedTest
    @CsvSource({
        "'HTTP/2.0 200 OK\r\n\r\n'",
        "'HTTP/1.1 20x OK\r\n\r\n'",
        "'HTTP/1.1 099 OK\r\n\r\n'",
        "'HTTP/1.1 200 OK\nContent-Length: 0\n\n'",
        "'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab'",
        "'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'",
        "'HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n'",
        "'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab'",
        "'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n'",
        "'HTTP/1.1 101 Switching Protocols\r\n\r\n'",
        "'HTTP/1.1 200 OK\r\nContent-Length: 99999999\r\n\r\n'",
        "' '",
        "''"
    })
    void incompleteOrMalformedResponseFails(String bytes) throws Exception {
        try (RawServer server = new RawServer(new String[][] {{bytes}});
                HttpClient client = Http.client(reactor)) {
            ExecutionException failed =
                    assertThrows(ExecutionException.class, () -> get(client.send(HttpCall.get(server.base()))), bytes);
            assertTrue(failed.getCause() instanceof IOException, failed.toString());
        }
    }

    @Test
    void aKeptConnectionThatTheServerHasClosedIsReplacedForAnIdempotentRequest() throws Exception {
        String ok = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";
        try (RawServer server = new RawServer(new String[][] {{ok, ""}, {ok}, {""}});
                HttpClient client = Http.client(reactor)) {
            assertEquals(200, get(client.send(HttpCall.get(server.base()))).status());
            // The server takes the second request, and ends the connection: the request is sent once more.
            assertEquals(200, get(client.send(HttpCall.get(server.base()))).status());
            assertEquals(3, server.requests.size());
        }
        try (RawServer server = new RawServer(new String[][] {{ok, ""}, {ok}});
                HttpClient client = Http.client(reactor)) {
            assertEquals(200, get(client.send(HttpCall.get(server.base()))).status());
            HttpCall post = HttpCall.post(server.base(), "text/plain", "");
            assertThrows(ExecutionException.class, () -> get(client.send(post)));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "/\u65e5\u672c, /%E6%97%A5%E6%9C%AC",
        "/a?q=\u00e4, /a?q=%C3%A4",
        "?\ud83d\ude00, /?%F0%9F%98%80",
        "/e\u0301#x, /%C3%A9",
        "/%e4?%20, /%e4?%20",
    })
    void aUriIsSentAsItsAsciiForm(String target, String sent) {
        try (EmbeddedServers servers = new EmbeddedServers();
                HttpClient client = HttpClient.over(servers)) {
            client.send(HttpCall.get("http://a" + target));
            String request = servers.last().peerReceives();
            assertEquals("GET " + sent + " HTTP/1.1", request.substring(0, request.indexOf('\r')));
        }
    }

    @Test
    void callsThatWouldBreakTheRequestAreRefused() {
        assertThrows(IllegalArgumentException.class, () -> HttpCall.get("ftp://a/"));
        assertThrows(IllegalArgumentException.class, () -> HttpCall.get("http://u@a/"));
        assertThrows(IllegalArgumentException.class, () -> HttpCall.get("/path"));
        assertThrows(IllegalArgumentException.class, () -> HttpCall.get("http://a/\ud800"));
        assertThrows(IllegalArgumentException.class, () -> HttpCall.get("http://\u65e5/"));
        assertThrows(IllegalArgumentException.class, () -> HttpCall.of("G T", java.net.URI.create("http://a")));
        assertThrows(
                IllegalArgumentException.class, () -> HttpCall.get("http://a").withField("A", "b\r\nC: d"));
        assertThrows(
                IllegalArgumentException.class, () -> HttpCall.get("http://a").withField("host", "b"));
    }
}
