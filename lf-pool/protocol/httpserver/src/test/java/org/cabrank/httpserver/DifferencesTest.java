package org.cabrank.httpserver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Outcomes that differ between the JDK's server and this one, as doc-files/differences.html lists them. */
@Timeout(300)
class DifferencesTest {
    private static final String GET = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";

    private final List<HttpServer> servers = new ArrayList<>();
    private final List<RawClient> clients = new ArrayList<>();

    @AfterEach
    void stop() throws IOException {
        for (RawClient client : clients) {
            client.close();
        }
        servers.forEach(one -> one.stop(0));
    }

    private RawClient jdk(HttpHandler handler, String request) throws Exception {
        return talk(JdkComparisonTest.jdkProvider().createHttpServer(ServerMode.anyPort(), 0), handler, request);
    }

    private RawClient ours(HttpHandler handler, String request) throws Exception {
        return talk(ServerMode.create(HttpServerSettings.DEFAULT), handler, request);
    }

    private RawClient talk(HttpServer server, HttpHandler handler, String request) throws IOException {
        servers.add(server);
        server.createContext("/", handler);
        server.start();
        RawClient client = new RawClient(server);
        clients.add(client);
        return client.send(request);
    }

    /** Every test that the table names exists. */
    @Test
    void theTableNamesTests() throws Exception {
        Path table = Path.of("src/main/java/org/cabrank/httpserver/doc-files/differences.html");
        Matcher named = Pattern.compile(">(\\w+Test)\\.(\\w+)<").matcher(Files.readString(table));
        int count = 0;
        while (named.find()) {
            Class<?> test = Class.forName(getClass().getPackageName() + "." + named.group(1));
            assertTrue(
                    Stream.of(test.getDeclaredMethods())
                            .anyMatch(one -> one.getName().equals(named.group(2))),
                    named.group());
            count++;
        }
        assertTrue(count > 10, "only " + count);
    }

    @Test
    void aHandlerThatThrows() throws Exception {
        assertTrue(jdk(ComparedHandlers.throwing(), GET).isEnded());
        RawClient ours = ours(ComparedHandlers.throwing(), GET);
        assertEquals(500, ours.answer().status());
        assertTrue(ours.isEnded());
        assertEquals(1, CabrankHttpServerProvider.counters(servers.get(1)).handlerFailures());
    }

    @Test
    void aHandlerThatThrowsBehindHeaders() throws Exception {
        HttpHandler throwing = exchange -> {
            exchange.sendResponseHeaders(200, 100);
            exchange.getResponseBody().write(new byte[50]);
            exchange.getResponseBody().flush();
            throw new IOException("on purpose");
        };
        assertThrows(IOException.class, jdk(throwing, GET)::answer);
        assertThrows(IOException.class, ours(throwing, GET)::answer);
        assertEquals(0, CabrankHttpServerProvider.counters(servers.get(1)).active());
    }

    /** The JDK's server throws as well, but leaves the connection as it is, and the client waits. */
    @Test
    void aBodyThatIsTooShort() throws Exception {
        BlockingQueue<String> thrown = new LinkedBlockingQueue<>();
        RawClient ours = ours(
                exchange -> {
                    exchange.sendResponseHeaders(200, 10);
                    exchange.getResponseBody().write(new byte[5]);
                    IOException refused = assertThrows(
                            IOException.class, () -> exchange.getResponseBody().close());
                    thrown.add(refused.getMessage());
                },
                GET);
        assertThrows(IOException.class, ours::answer);
        assertEquals("insufficient bytes written to stream", thrown.poll(120, TimeUnit.SECONDS));
        assertEquals(0, CabrankHttpServerProvider.counters(servers.get(0)).active());
    }

    @Test
    void theEndOfAConnectionIsAnnounced() throws Exception {
        String last = "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
        HttpHandler answering = exchange -> ServerLifeTest.answer(exchange, "last");
        assertNull(jdk(answering, last).answer().fields().get("connection"));
        assertEquals("close", ours(answering, last).answer().fields().get("connection"));
    }

    @Test
    void interimAnswers() throws Exception {
        HttpHandler hinting = exchange -> {
            exchange.getResponseHeaders().set("Link", "</a>");
            exchange.sendResponseHeaders(103, -1);
            ServerLifeTest.answer(exchange, "final");
        };
        assertEquals(103, jdk(hinting, GET).answer().status()); // and nothing else
        RawClient ours = ours(hinting, GET);
        assertEquals("</a>", ours.answer().fields().get("link"));
        assertEquals("final", ours.answer().body());
        RawClient continuing = ours(
                exchange -> {
                    exchange.getResponseHeaders().set("Link", "</a>");
                    exchange.sendResponseHeaders(100, -1);
                    ServerLifeTest.answer(exchange, "final");
                },
                GET);
        assertNull(continuing.answer().fields().get("link"));
        assertEquals("</a>", continuing.answer().fields().get("link"));
        RawClient switching = ours(exchange -> exchange.sendResponseHeaders(101, -1), GET);
        assertEquals(500, switching.answer().status());
    }

    @Test
    void wrongStatuses() throws Exception {
        assertEquals(
                700,
                jdk(exchange -> exchange.sendResponseHeaders(700, -1), GET)
                        .answer()
                        .status());
        assertEquals(
                500,
                ours(exchange -> exchange.sendResponseHeaders(700, -1), GET)
                        .answer()
                        .status());
        assertEquals(
                500,
                ours(exchange -> exchange.sendResponseHeaders(42, -1), GET)
                        .answer()
                        .status());
    }

    @Test
    void headWithoutALength() throws Exception {
        String head = "HEAD / HTTP/1.1\r\nHost: a\r\n\r\n";
        HttpHandler answering = exchange -> exchange.sendResponseHeaders(200, -1);
        assertNull(jdk(answering, head).answer(true).fields().get("transfer-encoding"));
        RawClient.Answer ours = ours(answering, head).answer(true);
        assertEquals("chunked", ours.fields().get("transfer-encoding"));
        assertNull(ours.fields().get("content-length"));
    }

    @Test
    void noLengthWith304() throws Exception {
        HttpHandler unchanged = exchange -> {
            exchange.getResponseHeaders().set("Content-Length", "42");
            exchange.sendResponseHeaders(304, -1);
        };
        assertEquals("42", jdk(unchanged, GET).answer().fields().get("content-length"));
        assertNull(ours(unchanged, GET).answer().fields().get("content-length"));
    }

    @Test
    void fieldsThatAreLeftOut() throws Exception {
        HttpHandler upgrading = exchange -> {
            exchange.getResponseHeaders().set("Upgrade", "TLS/1.2");
            exchange.getResponseHeaders().set("Trailer", "X-A");
            exchange.getResponseHeaders().set("Connection", "upgrade");
            exchange.sendResponseHeaders(426, -1);
        };
        List<String> names = List.of("upgrade", "trailer", "connection");
        assertTrue(jdk(upgrading, GET).answer().fields().keySet().containsAll(names));
        RawClient.Answer ours = ours(upgrading, GET).answer();
        assertTrue(Collections.disjoint(names, ours.fields().keySet()), ours.fields()::toString);
    }

    @Test
    void aFoldedValue() throws Exception {
        HttpHandler folding = exchange -> {
            exchange.getResponseHeaders().set("X-A", "one\r\n two");
            exchange.sendResponseHeaders(200, -1);
        };
        jdk(folding, GET).readTo("X-a: one\r\n two\r\n");
        assertEquals("one two", ours(folding, GET).answer().fields().get("x-a"));
    }

    @Test
    void theDateIsNoHeaderOfThePrograms() throws Exception {
        BlockingQueue<Boolean> dates = new LinkedBlockingQueue<>();
        HttpHandler looking = exchange -> {
            exchange.getResponseHeaders().set("Date", "yesterday");
            exchange.sendResponseHeaders(200, 1);
            dates.add(exchange.getResponseHeaders().getFirst("Date").equals("yesterday"));
            exchange.getResponseBody().write('x');
            exchange.close();
        };
        assertTrue(jdk(looking, GET).answer().fields().get("date").endsWith(" GMT"));
        assertFalse(dates.poll(120, TimeUnit.SECONDS));
        assertTrue(ours(looking, GET).answer().fields().get("date").endsWith(" GMT"));
        assertTrue(dates.poll(120, TimeUnit.SECONDS));
    }

    @Test
    void keepAliveOfHttp10() throws Exception {
        String request = "GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n";
        HttpHandler answering = exchange -> ServerLifeTest.answer(exchange, "kept");
        String keepAlive = jdk(answering, request).answer().fields().get("keep-alive");
        assertTrue(keepAlive.startsWith("timeout=30"), keepAlive); // and a number of requests, until JDK 17
        RawClient ours = ours(answering, request);
        RawClient.Answer first = ours.answer();
        assertNull(first.fields().get("keep-alive"));
        assertEquals("keep-alive", first.fields().get("connection"));
        assertEquals("kept", ours.send(request).answer().body());
    }

    @Test
    void malformedRequests() throws Exception {
        HttpHandler answering = exchange -> ServerLifeTest.answer(exchange, "served");
        String noHost = "GET / HTTP/1.1\r\n\r\n";
        assertEquals(200, jdk(answering, noHost).answer().status());
        assertEquals(400, ours(answering, noHost).answer().status());
        assertEquals(
                400, ours(answering, "GET / HTTP/1.1\nHost: a\n\n").answer().status());
        assertEquals(
                505,
                ours(answering, "GET / HTTP/2.0\r\nHost: a\r\n\r\n").answer().status());
    }

    /** The JDK's server closes the connection, and a client that still sends may be reset before it has the answer. */
    @Test
    void aLargeBodyIsNotRead() throws Exception {
        String request = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 300000\r\n\r\n" + "x".repeat(300_000);
        HttpHandler answering = exchange -> {
            exchange.getRequestBody().close();
            ServerLifeTest.answer(exchange, "unread");
        };
        RawClient ours = ours(answering, request);
        assertEquals("unread", ours.answer().body());
        assertEquals("unread", ours.get("/").answer().body());
    }

    @Test
    void noContentWith205() throws Exception {
        HttpHandler content = exchange -> {
            exchange.sendResponseHeaders(205, 5);
            try (OutputStream body = exchange.getResponseBody()) {
                body.write("hello".getBytes(StandardCharsets.US_ASCII));
            }
        };
        assertEquals("hello", jdk(content, GET).answer().body());
        RawClient ours = ours(content, GET + GET);
        for (int i = 0; i < 2; i++) {
            RawClient.Answer answer = ours.answer();
            assertEquals(205, answer.status());
            assertEquals("", answer.body());
        }
    }

    @Test
    void connect() throws Exception {
        String request = "CONNECT a:80 HTTP/1.1\r\nHost: a:80\r\n\r\n";
        HttpHandler never = exchange -> ServerLifeTest.answer(exchange, "never");
        assertTrue(jdk(never, request).isEnded());
        RawClient ours = ours(never, request + GET);
        assertEquals(404, ours.answer().status());
        assertTrue(ours.isEnded()); // no tunnel is granted, and no further request is answered
    }
}
