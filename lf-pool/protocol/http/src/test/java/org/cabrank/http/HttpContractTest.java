package org.cabrank.http;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.cabrank.http.message.HttpFields;
import org.cabrank.lf.Reply;
import org.cabrank.stream.ReactorFile;
import org.cabrank.stream.StreamServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The server over real sockets, on each backend, with one thread and with several. */
@Timeout(300)
class HttpContractTest {
    private static final String HOST = "Host: a\r\n";
    private static final int LARGE = 3 << 20;
    private static ExecutorService executor;

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

    static Stream<ServerModes> modesOfSeveralThreads() {
        return modes().filter(mode -> mode.threads() > 1);
    }

    private static Socket connect(StreamServer server) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
        socket.setSoTimeout(120_000);
        return socket;
    }

    private static void send(Socket client, String text) throws IOException {
        client.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    private static String readAll(Socket client) throws IOException {
        return new String(client.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
    }

    /** Answers in the callback, by offload, by another thread or behind the body, as the path says. */
    private static void answer(HttpExchange exchange) {
        String path = exchange.path().toString();
        switch (path.charAt(1)) {
            case 'o' -> exchange.offload(executor, () -> path, (own, result) -> own.send(200, null, result));
            case 'd' -> {
                HttpExchange kept = exchange.detach();
                executor.execute(() -> kept.send(200, null, kept.path().toString()));
            }
            case 'p' -> {
                HttpExchange kept = exchange.detach();
                executor.execute(() -> {
                    kept.begin(200, HttpExchange.UNKNOWN_LENGTH);
                    kept.write(StandardCharsets.US_ASCII.encode(path));
                    kept.end();
                });
            }
            default -> exchange.send(200, null, path);
        }
    }

    @ParameterizedTest
    @MethodSource("modes")
    void pipelinedRequestsAreAnsweredInOrderByWhicheverThread(ServerModes mode) throws Exception {
        try (StreamServer server = mode.start(HttpContractTest::answer);
                Socket client = connect(server)) {
            Random random = new Random(7);
            StringBuilder requests = new StringBuilder();
            StringBuilder expected = new StringBuilder();
            int count = 400;
            for (int i = 0; i < count; i++) {
                String path = "/" + "aodp".charAt(random.nextInt(4)) + i;
                expected.append(path).append('\n');
                requests.append("GET ").append(path).append(" HTTP/1.1\r\n").append(HOST);
                requests.append(i == count - 1 ? "Connection: close\r\n\r\n" : "\r\n");
            }
            send(client, requests.toString());
            String answers = readAll(client);
            StringBuilder paths = new StringBuilder();
            answers.lines()
                    .filter(line -> line.matches("/[aodp]\\d+.*"))
                    .forEach(line ->
                            paths.append(line.replaceAll("HTTP/1.1 .*", "")).append('\n'));
            assertEquals(expected.toString(), paths.toString());
        }
    }

    /** Blocks in a handler that has let go: other requests are served, and those behind it on its connection wait for its answer. */
    @ParameterizedTest
    @MethodSource("modesOfSeveralThreads")
    void aHandlerThatLetsGoMayBlock(ServerModes mode) throws Exception {
        CountDownLatch released = new CountDownLatch(1);
        HttpHandler handler = exchange -> {
            switch (exchange.path().toString()) {
                case "/block" -> {
                    exchange.letGo();
                    assertFalse(exchange.connection().isInCallback());
                    assertThrows(IllegalStateException.class, exchange::letGo);
                    assertTrue(released.await(120, TimeUnit.SECONDS));
                }
                case "/release" -> released.countDown();
                default -> {}
            }
            exchange.send(200, null, exchange.path().toString());
        };
        try (StreamServer server = mode.start(handler);
                Socket blocked = connect(server);
                Socket other = connect(server)) {
            String close = "Connection: close\r\n\r\n";
            send(blocked, "GET /block HTTP/1.1\r\n" + HOST + "\r\nGET /behind HTTP/1.1\r\n" + HOST + close);
            send(other, "GET /release HTTP/1.1\r\n" + HOST + close);
            assertTrue(readAll(other).endsWith("/release"));
            String answers = readAll(blocked);
            assertTrue(answers.indexOf("/block") > 0 && answers.endsWith("/behind"), answers);
        }
    }

    /** Of the two threads, one runs the continuation, so the other has left the handler of /offload when it serves /next. */
    @Test
    void aContinuationAnswersAfterItsHandlerHasReturnedFromAWait() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch returned = new CountDownLatch(1);
        HttpService service = Http.server(exchange -> {
            if (exchange.path().is("/offload")) {
                exchange.offload(executor, () -> "result", (own, result) -> {
                    begun.countDown();
                    assertTrue(returned.await(120, TimeUnit.SECONDS));
                    own.send(200, null, result);
                });
                exchange.letGo();
                assertTrue(begun.await(120, TimeUnit.SECONDS));
            } else {
                returned.countDown();
                exchange.send(200, null, "next");
            }
        });
        try (StreamServer server = new ServerModes("epoll", 2).start(service);
                Socket offloading = connect(server);
                Socket next = connect(server)) {
            String close = " HTTP/1.1\r\n" + HOST + "Connection: close\r\n\r\n";
            send(offloading, "GET /offload" + close);
            assertTrue(begun.await(120, TimeUnit.SECONDS));
            send(next, "GET /next" + close);
            assertTrue(readAll(next).endsWith("next"));
            String answer = readAll(offloading);
            assertTrue(answer.endsWith("result"), answer);
            assertEquals(0, service.counters().handlerFailures());
        }
    }

    @ParameterizedTest
    @MethodSource("modes")
    void theEndOfABodyComesDuringAWaitInItsLastPiece(ServerModes mode) throws Exception {
        HttpHandler waiting = exchange -> {
            Reply<String> ended = exchange.connection().newReply();
            exchange.body(new HttpBody() {
                @Override
                public void data(HttpExchange own, ByteBuffer bytes) throws Exception {
                    own.send(200, null, ended.await(Duration.ofSeconds(120)));
                }

                @Override
                public void end(HttpExchange own, HttpFields trailers) {
                    ended.complete("ended");
                }
            });
        };
        try (StreamServer server = mode.start(waiting);
                Socket client = connect(server)) {
            for (String last : new String[] {"", "Connection: close\r\n"}) {
                send(client, "POST / HTTP/1.1\r\n" + HOST + last + "Content-Length: 5\r\n\r\nhello");
            }
            assertEquals(2, readAll(client).split("ended", -1).length - 1);
        }
    }

    @ParameterizedTest
    @MethodSource("modes")
    void aLargeBodyIsReceivedThroughPauses(ServerModes mode) throws Exception {
        byte[] content = new byte[LARGE];
        new Random(1).nextBytes(content);
        BlockingQueue<byte[]> received = new LinkedBlockingQueue<>();
        HttpHandler handler = exchange -> exchange.body(new HttpBody() {
            private final ByteArrayOutputStream all = new ByteArrayOutputStream();
            private int pieces;

            @Override
            public void data(HttpExchange own, ByteBuffer bytes) {
                byte[] piece = new byte[bytes.remaining()];
                bytes.get(piece);
                all.writeBytes(piece);
                if (++pieces % 8 == 0) {
                    own.pauseBody();
                    executor.execute(own::resumeBody);
                }
            }

            @Override
            public void end(HttpExchange own, HttpFields trailers) {
                received.add(all.toByteArray());
                own.closeAfterwards().send(204);
            }
        });
        HttpService service =
                Http.server(handler).withLimits(org.cabrank.http.message.HttpLimits.DEFAULT.withBodyBytes(LARGE));
        try (StreamServer server = mode.start(service);
                Socket client = connect(server)) {
            send(client, "PUT / HTTP/1.1\r\n" + HOST + "Content-Length: " + LARGE + "\r\n\r\n");
            client.getOutputStream().write(content);
            String answer = readAll(client);
            assertTrue(answer.startsWith("HTTP/1.1 204"), answer);
            assertArrayEquals(content, received.poll(120, TimeUnit.SECONDS));
        }
    }

    @ParameterizedTest
    @MethodSource("modes")
    void aLongAnswerWaitsForASlowReader(ServerModes mode) throws Exception {
        byte[] piece = new byte[64 << 10];
        new Random(2).nextBytes(piece);
        int pieces = LARGE / piece.length;
        HttpHandler handler = exchange -> {
            HttpExchange kept = exchange.detach();
            kept.closeAfterwards().begin(200, HttpExchange.UNKNOWN_LENGTH);
            new Object() {
                private int written;

                void write() {
                    while (written < pieces && kept.isWritable()) {
                        kept.write(ByteBuffer.wrap(piece));
                        written++;
                    }
                    if (written < pieces) {
                        kept.whenWritable(this::write);
                    } else {
                        kept.end();
                    }
                }
            }.write();
        };
        try (StreamServer server = mode.start(handler);
                Socket client = connect(server)) {
            send(client, "GET / HTTP/1.1\r\n" + HOST + "\r\n");
            InputStream in = client.getInputStream();
            ByteArrayOutputStream all = new ByteArrayOutputStream();
            byte[] some = new byte[100_000];
            for (int count = in.read(some); count >= 0; count = in.read(some)) {
                all.write(some, 0, count);
            }
            String answer = all.toString(StandardCharsets.ISO_8859_1);
            String body = answer.substring(answer.indexOf("\r\n\r\n") + 4);
            String chunk = "10000\r\n" + new String(piece, StandardCharsets.ISO_8859_1) + "\r\n";
            assertEquals(chunk.repeat(pieces) + "0\r\n\r\n", body);
        }
    }

    @ParameterizedTest
    @MethodSource("modes")
    void aFileIsSentBetweenAnswers(ServerModes mode, @TempDir Path directory) throws Exception {
        byte[] content = new byte[LARGE];
        new Random(3).nextBytes(content);
        Path path = Files.write(directory.resolve("content"), content);
        ReactorFile[] file = {null};
        HttpHandler handler = exchange -> {
            if (exchange.path().is("/file")) {
                exchange.sendFile(200, "application/octet-stream", file[0], 1, LARGE - 1);
            } else {
                exchange.closeAfterwards().send(200, null, "last");
            }
        };
        try (StreamServer server = mode.start(handler);
                ReactorFile opened = server.reactor().openFile(path);
                Socket client = connect(server)) {
            file[0] = opened;
            send(client, "GET /file HTTP/1.1\r\n" + HOST + "\r\nGET /last HTTP/1.1\r\n" + HOST + "\r\n");
            String answers = readAll(client);
            int from = answers.indexOf("\r\n\r\n") + 4;
            byte[] body = answers.substring(from, from + LARGE - 1).getBytes(StandardCharsets.ISO_8859_1);
            assertArrayEquals(java.util.Arrays.copyOfRange(content, 1, LARGE), body);
            assertTrue(answers.substring(from + LARGE - 1).startsWith("HTTP/1.1 200 OK\r\n"));
            assertTrue(answers.endsWith("last"));
        }
    }

    @ParameterizedTest
    @MethodSource("modes")
    void aServerThatIsClosedAnswersWhatIsUnderWay(ServerModes mode) throws Exception {
        BlockingQueue<HttpExchange> kept = new LinkedBlockingQueue<>();
        Thread closing;
        try (StreamServer server = mode.start(exchange -> kept.add(exchange.detach()));
                Socket client = connect(server);
                Socket idle = connect(server)) {
            send(client, "GET / HTTP/1.1\r\n" + HOST + "\r\n");
            HttpExchange exchange = kept.poll(120, TimeUnit.SECONDS);
            closing = new Thread(server::close, "closing");
            closing.start();
            assertEquals(-1, idle.getInputStream().read()); // the drain has begun
            exchange.send(200, null, "served");
            String answer = readAll(client);
            assertTrue(answer.contains("Connection: close\r\n"), answer);
            assertTrue(answer.endsWith("served"), answer);
            assertFalse(exchange.isOpen());
        }
        closing.join();
    }

    @ParameterizedTest
    @MethodSource("modes")
    void clientsThatBreakOffLeaveNothingBehind(ServerModes mode) throws Exception {
        BlockingQueue<HttpExchange> kept = new LinkedBlockingQueue<>();
        BlockingQueue<String> gone = new LinkedBlockingQueue<>();
        try (StreamServer server = mode.start(exchange -> {
            exchange.onGone(cause -> gone.add("gone"));
            kept.add(exchange.detach());
        })) {
            for (int i = 0; i < 20; i++) {
                try (Socket client = connect(server)) {
                    client.setSoLinger(true, 0);
                    send(client, "GET / HTTP/1.1\r\n" + HOST + "\r\n");
                    kept.take();
                }
            }
            for (int i = 0; i < 20; i++) {
                assertEquals("gone", gone.poll(120, TimeUnit.SECONDS));
            }
            assertEquals(
                    server.reactor().counters().opened(),
                    server.reactor().counters().closed());
        }
    }
}
