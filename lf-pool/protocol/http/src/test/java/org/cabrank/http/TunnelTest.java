package org.cabrank.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.cabrank.lf.Reply;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.ReactorFile;
import org.cabrank.stream.StreamServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** CONNECT over real sockets: the tunnel, and answers of a service that does not know of tunnels. */
@Timeout(300)
class TunnelTest {
    private static final String CONNECT = "CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n";
    private static final String GET = "GET /next HTTP/1.1\r\nHost: a\r\n\r\n";
    private static final String OK = "HTTP/1.1 200 OK\r\n";
    private static ExecutorService executor;

    @TempDir
    Path folder;

    @BeforeAll
    static void start() {
        executor = Executors.newFixedThreadPool(2);
    }

    @AfterAll
    static void stop() {
        executor.shutdownNow();
    }

    static Stream<ServerModes> modes() {
        return ServerModes.all();
    }

    /** Sends back what comes, and ends when the client does. */
    private static final class Echo implements ConnectionHandler {
        @Override
        public void data(Connection connection, ByteBuffer data) {
            connection.write(data);
        }

        @Override
        public void inputClosed(Connection connection, ByteBuffer unread) {
            connection.write(StandardCharsets.US_ASCII.encode("end"));
            connection.close();
        }
    }

    private static Socket connect(StreamServer server) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
        socket.setSoTimeout(120_000);
        return socket;
    }

    private static void send(Socket client, String text) throws IOException {
        client.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    /** Reads until the server ends the connection. Without dates. */
    private static String readAll(Socket client) throws IOException {
        return new String(client.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1)
                .replaceAll("Date: [^\r]*\r\n", "");
    }

    /** A service that finds the other end of the tunnel in various ways, as the port of the target says. */
    private static void tunnel(HttpExchange exchange) throws Exception {
        switch (exchange.target().toString()) {
            case "a:1" -> exchange.tunnel(new Echo());
            case "a:2" -> exchange.offload(executor, () -> "", (own, found) -> own.tunnel(new Echo()));
            case "a:3" -> {
                HttpExchange kept = exchange.detach();
                executor.execute(() -> kept.connection().execute(() -> kept.tunnel(new Echo())));
            }
            case "a:4" -> {
                HttpExchange kept = exchange.detach();
                exchange.connection().schedule(Duration.ofMillis(20), () -> kept.tunnel(new Echo()));
            }
            default -> {
                HttpExchange kept = exchange.detach();
                Connection connection = exchange.connection();
                Reply<String> reply = connection.newReply();
                executor.execute(() -> reply.complete(""));
                reply.await(Duration.ofSeconds(120));
                connection.execute(() -> kept.tunnel(new Echo()));
            }
        }
    }

    @ParameterizedTest
    @MethodSource("modes")
    void theTunnelHasAllBytesBehindTheHeadAndTheEnd(ServerModes mode) throws Exception {
        try (StreamServer server = mode.start(TunnelTest::tunnel)) {
            for (int way = 1; way <= 5; way++) {
                try (Socket client = connect(server)) { // at once, as if the tunnel were open
                    send(client, CONNECT.replace("a:1", "a:" + way) + GET);
                    client.shutdownOutput();
                    assertEquals(OK + "\r\n" + GET + "end", readAll(client), "way " + way);
                }
                try (Socket client = connect(server)) { // piece by piece
                    send(client, CONNECT.replace("a:1", "a:" + way));
                    send(client, "one");
                    StringBuilder read = new StringBuilder();
                    while (!read.toString().endsWith("one")) {
                        int c = client.getInputStream().read();
                        assertTrue(c >= 0, read.toString());
                        read.append((char) c);
                    }
                    send(client, "two");
                    client.shutdownOutput();
                    assertEquals("twoend", readAll(client), "way " + way);
                }
            }
        }
    }

    /** The client takes what follows the head of a 2xx for bytes of the tunnel, whatever fields the head has (RFC 9110 section 9.3.6). */
    @ParameterizedTest
    @MethodSource("modes")
    void anAnswerThatGrantsATunnelHasNoFramingAndIsTheLast(ServerModes mode) throws Exception {
        Path path = Files.writeString(folder.resolve("hello"), "hello");
        BlockingQueue<String> requests = new LinkedBlockingQueue<>();
        ReactorFile[] file = new ReactorFile[1];
        HttpAnswer made = HttpAnswer.of(200, null, "hello".getBytes(StandardCharsets.US_ASCII));
        try (StreamServer server = mode.start(exchange -> {
            requests.add(exchange.method());
            switch (exchange.target().toString()) {
                case "a:1" -> exchange.send(200, null, "hello");
                case "a:2" -> exchange.send(made);
                case "a:3" -> {
                    exchange.begin(200, 5);
                    exchange.write(StandardCharsets.US_ASCII.encode("hello"));
                    exchange.end();
                }
                case "a:4" -> {
                    exchange.begin(200, HttpExchange.UNKNOWN_LENGTH);
                    exchange.write(StandardCharsets.US_ASCII.encode("hello"));
                    exchange.end();
                }
                case "a:5" -> exchange.sendFile(200, null, file[0], 0, 5);
                case "a:6" -> {
                    HttpExchange kept = exchange.detach();
                    executor.execute(() -> kept.send(200, null, "hello"));
                }
                case "a:7" -> exchange.send(200);
                default -> exchange.send(204);
            }
        })) {
            file[0] = server.reactor().openFile(path);
            for (int way = 1; way <= 8; way++) {
                try (Socket client = connect(server)) {
                    send(client, CONNECT.replace("a:1", "a:" + way) + GET);
                    assertEquals(
                            (way == 8 ? "HTTP/1.1 204 No Content\r\n" : OK) + "Connection: close\r\n\r\n"
                                    + (way > 6 ? "" : "hello"),
                            readAll(client),
                            "way " + way);
                    assertEquals("CONNECT", requests.poll(120, TimeUnit.SECONDS));
                }
            }
            assertEquals(0, requests.size()); // GET was none
        }
    }

    /** A status of an error has the framing of any answer, and the connection stays. */
    @ParameterizedTest
    @MethodSource("modes")
    void anAnswerThatRefusesATunnelHasALength(ServerModes mode) throws Exception {
        try (StreamServer server = mode.start(exchange -> exchange.send(403, null, "no"));
                Socket client = connect(server)) {
            send(client, CONNECT + GET);
            client.shutdownOutput();
            String refusal = "HTTP/1.1 403 Forbidden\r\nContent-Length: 2\r\n\r\nno";
            assertEquals(refusal + refusal, readAll(client).replace("Connection: close\r\n", ""));
        }
    }
}
