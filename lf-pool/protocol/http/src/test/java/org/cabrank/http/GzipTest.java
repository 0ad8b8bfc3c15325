package org.cabrank.http;

import static org.cabrank.http.Embedded.HOST;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import java.util.zip.GZIPInputStream;
import org.cabrank.http.client.HttpCall;
import org.cabrank.http.client.HttpResponse;
import org.cabrank.http.client.HttpResponseHandler;
import org.cabrank.http.client.HttpTransfer;
import org.cabrank.http.message.Gzip;
import org.cabrank.http.message.HttpFields;
import org.cabrank.stream.StreamLimits;
import org.cabrank.stream.WriteQueueFullException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The coding gzip in answers, responses and requests, whole and in pieces: who gets it, its fields, and the bound of what it becomes. */
@Timeout(300)
class GzipTest {
    private static final String TEXT = "all work and no play\n".repeat(10_000);
    private static final HttpAnswer ANSWER =
            HttpAnswer.text(200, TEXT).withField("ETag", "\"1\"").withGzip().withField("X-Later", "2");

    static Stream<Site.Mode> modes() {
        return Site.Mode.all();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'' | false",
                "Accept-Encoding: gzip | true",
                "Accept-Encoding: br, GZIP;q=0.5 | true",
                "Accept-Encoding: x-gzip | true",
                "Accept-Encoding: * | true",
                "Accept-Encoding: *;q=0 | false",
                "Accept-Encoding: *, gzip;q=0 | false",
                "Accept-Encoding: gzip ; q=0.000 | false",
                "Accept-Encoding: identity | false",
                "Accept-Encoding: | false",
            })
    void aClientGetsTheFormThatItTakes(String field, boolean compressed) {
        try (Embedded server = Embedded.open(exchange -> exchange.send(ANSWER))) {
            String answer =
                    server.exchange("HEAD / HTTP/1.1\r\n" + HOST + (field.isEmpty() ? "" : field + "\r\n") + "\r\n");
            assertEquals(compressed, answer.contains("\r\nContent-Encoding: gzip\r\n"), answer);
            assertEquals(compressed, answer.contains("\r\nETag: \"1-gzip\"\r\n"), answer);
            assertEquals(!compressed, answer.contains("\r\nETag: \"1\"\r\n"), answer);
            assertTrue(answer.contains("\r\nVary: Accept-Encoding\r\n"), answer);
            assertTrue(answer.contains("\r\nX-Later: 2\r\n"), answer);
            assertEquals(!compressed, answer.contains("Content-Length: " + TEXT.length()), answer);
        }
    }

    /** Patterns that search a field for a separator take the square of its spaces: here, longer than the time-out. */
    @Test
    void aLongFieldIsReadInOnePass() {
        HttpFields fields = (HttpFields) Proxy.newProxyInstance(
                HttpFields.class.getClassLoader(),
                new Class<?>[] {HttpFields.class},
                (proxy, method, arguments) -> List.of("br" + " ".repeat(1 << 18) + "x, gzip ; q=0"));
        assertFalse(Gzip.isTakenBy(fields));
    }

    @Test
    void aBodyThatDoesNotBecomeShorterStaysAsItIs() {
        HttpAnswer small = HttpAnswer.text(200, "x");
        assertSame(small, small.withGzip());
    }

    @ParameterizedTest
    @MethodSource("modes")
    void aClientThatAcceptsGzipGetsTheDecodedBodyWithinItsLimit(Site.Mode mode) throws Exception {
        try (Site site = Site.start(mode, exchange -> exchange.send(ANSWER))) {
            HttpResponse plain = site.client().send(site.get()).get(120, TimeUnit.SECONDS);
            assertEquals(TEXT, plain.text());
            HttpResponse decoded = site.client().send(site.get().acceptGzip()).get(120, TimeUnit.SECONDS);
            assertEquals(TEXT, decoded.text());
            assertNull(decoded.field("Content-Encoding"));
            assertNull(decoded.field("Content-Length"));
            assertEquals("\"1-gzip\"", decoded.field("ETag"));
            HttpResponse coded = site.client()
                    .send(site.get().withField("Accept-Encoding", "gzip"))
                    .get(120, TimeUnit.SECONDS);
            assertEquals("gzip", coded.field("Content-Encoding"));
            assertTrue(coded.body().length < 2_000);
            assertEquals(1, site.client().connections());
        }
    }

    // ---- answers that are made for one request ----

    private static final HttpHandler MADE =
            exchange -> exchange.gzip().addField("X-Own", "1").send(200, "text/plain", TEXT);

    private static final HttpHandler IN_PIECES = exchange -> {
        exchange.gzip().begin(200, TEXT.length());
        for (int at = 0; at < TEXT.length(); at += 21_000) {
            exchange.write(ByteBuffer.wrap(TEXT.substring(at, at + 21_000).getBytes(StandardCharsets.US_ASCII)));
        }
        exchange.end();
    };

    @ParameterizedTest
    @MethodSource("modes")
    void answersOfOneRequestAreEncodedForClientsThatTakeThat(Site.Mode mode) throws Exception {
        for (HttpHandler handler : List.of(MADE, IN_PIECES)) {
            try (Site site = Site.start(mode, handler)) {
                HttpResponse plain = site.client().send(site.get()).get(120, TimeUnit.SECONDS);
                assertEquals(TEXT, plain.text());
                assertEquals("Accept-Encoding", plain.field("Vary"));
                assertNull(plain.field("Content-Encoding"));
                HttpResponse coded = site.client()
                        .send(site.get().withField("Accept-Encoding", "gzip"))
                        .get(120, TimeUnit.SECONDS);
                assertEquals("gzip", coded.field("Content-Encoding"));
                assertEquals(List.of("Accept-Encoding"), coded.fields().get("Vary"));
                assertEquals(
                        TEXT, new String(new GZIPInputStream(new ByteArrayInputStream(coded.body())).readAllBytes()));
                assertTrue(coded.body().length < 3_000, coded.body().length + " bytes");
                assertEquals(
                        TEXT,
                        site.client()
                                .send(site.get().acceptGzip())
                                .get(120, TimeUnit.SECONDS)
                                .text());
            }
        }
    }

    @Test
    void anAnswerThatHasNothingToEncodeStaysAsItIs() {
        String taking = "GET / HTTP/1.1\r\n" + HOST + "Accept-Encoding: gzip\r\n\r\n";
        try (Embedded server = Embedded.open(exchange -> exchange.gzip().send(200, null, "x"))) {
            assertEquals(
                    "HTTP/1.1 200 OK\r\nVary: Accept-Encoding\r\nContent-Length: 1\r\n\r\nx", server.exchange(taking));
        }
        try (Embedded server = Embedded.open(exchange -> exchange.gzip().send(304))) {
            assertEquals("HTTP/1.1 304 Not Modified\r\nVary: Accept-Encoding\r\n\r\n", server.exchange(taking));
        }
        try (Embedded server = Embedded.open(IN_PIECES)) {
            String head =
                    "HTTP/1.1 200 OK\r\nVary: Accept-Encoding\r\nContent-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n";
            assertEquals(head, server.exchange(taking.replace("GET", "HEAD")));
            assertEquals(head, server.exchange(taking.replace("GET", "HEAD")));
            assertTrue(server.exchange(taking).startsWith(head));
        }
    }

    /** Jersey #3309, Starlette #2753: what is written stood in the encoder until more came. */
    @ParameterizedTest
    @MethodSource("modes")
    void eachPieceCanBeDecodedWhenItHasCome(Site.Mode mode) throws Exception {
        CompletableFuture<HttpExchange> begun = new CompletableFuture<>();
        try (Site site = Site.start(mode, exchange -> {
            exchange.gzip().begin(200, HttpExchange.UNKNOWN_LENGTH);
            begun.complete(exchange.detach());
        })) {
            BlockingQueue<String> received = new LinkedBlockingQueue<>();
            site.client().send(site.get().acceptGzip(), new Pieces(received));
            HttpExchange exchange = begun.get(120, TimeUnit.SECONDS);
            for (String piece : List.of("a", "second piece", "x".repeat(1_000))) {
                exchange.write(ByteBuffer.wrap(piece.getBytes(StandardCharsets.US_ASCII)));
                assertEquals(piece, received.poll(120, TimeUnit.SECONDS));
            }
            exchange.end();
            assertEquals("end", received.poll(120, TimeUnit.SECONDS));
        }
    }

    private record Pieces(BlockingQueue<String> received) implements HttpResponseHandler {
        @Override
        public void head(HttpTransfer transfer, int status, HttpFields fields) {}

        @Override
        public void data(HttpTransfer transfer, ByteBuffer bytes) {
            received.add(StandardCharsets.US_ASCII.decode(bytes).toString());
        }

        @Override
        public void end(HttpTransfer transfer, HttpFields trailers) {
            received.add("end");
        }

        @Override
        public void failed(Throwable cause) {
            received.add("failed: " + cause);
        }
    }

    @Test
    void anEncodedAnswerGoesOnAfterWritesThatFoundNoRoom() throws Exception {
        byte[] noise = new byte[4_000];
        HttpExchange[] kept = {null};
        StreamLimits limits = StreamLimits.DEFAULT.withQueue(2_000, 8_000, 16_000);
        try (Embedded server = Embedded.open(
                Http.server(exchange -> {
                    exchange.gzip().begin(200, HttpExchange.UNKNOWN_LENGTH);
                    kept[0] = exchange.detach();
                }),
                limits)) {
            server.client.peerTakes(0);
            server.client.peerSends("GET / HTTP/1.0\r\nAccept-Encoding: gzip\r\n\r\n");
            ByteArrayOutputStream written = new ByteArrayOutputStream();
            Random random = new Random(1);
            boolean full = false;
            while (!full) {
                random.nextBytes(noise);
                ByteBuffer piece = ByteBuffer.wrap(noise);
                try {
                    kept[0].write(piece);
                    written.writeBytes(noise);
                } catch (WriteQueueFullException noRoom) {
                    assertEquals(noise.length, piece.remaining());
                    full = true;
                }
                server.client.awaitIdle();
            }
            server.client.peerTakes(1 << 20);
            server.client.awaitIdle();
            ByteArrayOutputStream answer = new ByteArrayOutputStream();
            answer.writeBytes(server.client.peerReceivesBytes().array());
            kept[0].write(ByteBuffer.wrap(noise));
            written.writeBytes(noise);
            kept[0].end();
            server.client.awaitIdle();
            answer.writeBytes(server.client.peerReceivesBytes().array());
            byte[] all = answer.toByteArray();
            int body = new String(all, StandardCharsets.ISO_8859_1).indexOf("\r\n\r\n") + 4;
            assertArrayEquals(
                    written.toByteArray(),
                    new GZIPInputStream(new ByteArrayInputStream(all, body, all.length - body)).readAllBytes());
        }
    }

    // ---- requests ----

    @Test
    void aRequestIsDecodedWithinItsBoundAndThatOfTheService() {
        byte[] encoded = Gzip.encode(TEXT.getBytes(StandardCharsets.US_ASCII));
        assertEquals("200 " + TEXT.length(), decoded("gzip", encoded, TEXT.length()));
        assertEquals("413", decoded("gzip", encoded, TEXT.length() - 1));
        assertEquals("413", decoded("gzip", Gzip.encode(new byte[(1 << 20) + 1]), 10 << 20));
        assertEquals("400", decoded("x-gzip", new byte[] {1, 2, 3}, 10));
        assertEquals("400", decoded("gzip", Arrays.copyOf(encoded, encoded.length - 1), TEXT.length()));
        assertEquals("415", decoded("br", encoded, 10));
        assertEquals("415", decoded("gzip, br", encoded, 10));
        assertEquals("415", decoded("gzip\r\nContent-Encoding: gzip", encoded, 10));
        assertEquals("200 3", decoded(null, new byte[] {1, 2, 3}, 10));
        assertEquals("200 3", decoded("identity", new byte[] {1, 2, 3}, 10));
        assertEquals("200 0", decoded("gzip", new byte[0], 10));
    }

    /** Sends a body to a server that decodes within a bound, and returns its status and the length that it has found. */
    private static String decoded(String coding, byte[] body, int bytesMax) {
        try (Embedded server = Embedded.open(exchange ->
                exchange.decodedBody(bytesMax, (own, plain) -> own.send(200, null, " " + plain.remaining())))) {
            server.client.peerSends("POST / HTTP/1.1\r\n" + HOST
                    + (coding == null ? "" : "Content-Encoding: " + coding + "\r\n") + "Content-Length: " + body.length
                    + "\r\n\r\n");
            server.client.peerSends(ByteBuffer.wrap(body));
            String answer = server.received();
            int length = answer.indexOf("\r\n\r\n ");
            return answer.substring(9, 12) + (length < 0 ? "" : answer.substring(length + 4));
        }
    }

    /** Adds decoded bytes up; another thread lets each further piece come. */
    private static final class Summing implements HttpBody {
        private final CRC32 sum = new CRC32();
        private volatile boolean paused;

        @Override
        public void data(HttpExchange own, ByteBuffer bytes) {
            if (paused || bytes.remaining() > 32 << 10) {
                throw new IllegalStateException("a piece of " + bytes.remaining() + " bytes, paused: " + paused);
            }
            sum.update(bytes);
            paused = true;
            own.pauseBody();
            CompletableFuture.runAsync(() -> {
                paused = false;
                own.resumeBody();
            });
        }

        @Override
        public void end(HttpExchange own, HttpFields trailers) {
            own.send(200, null, Long.toString(sum.getValue()));
        }
    }

    @ParameterizedTest
    @MethodSource("modes")
    void aRequestIsEncodedByTheClientAndDecodedInPiecesThatWaitForTheReceiver(Site.Mode mode) throws Exception {
        byte[] body = TEXT.repeat(4).getBytes(StandardCharsets.US_ASCII);
        CRC32 sum = new CRC32();
        sum.update(body);
        try (Site site = Site.start(mode, exchange -> exchange.decodedBody(new Summing()))) {
            HttpCall whole = HttpCall.post(site.uri(), "text/plain", body).withGzip();
            assertTrue(whole.length() > 0 && whole.length() < 10_000);
            HttpCall inPieces = HttpCall.of("POST", URI.create(site.uri()))
                    .withBody(HttpCall.UNKNOWN_LENGTH, transfer -> {
                        for (int at = 0; at < body.length; at += 84_000) {
                            transfer.write(ByteBuffer.wrap(body, at, 84_000));
                        }
                        transfer.end();
                    })
                    .withGzip();
            for (HttpCall call : List.of(whole, inPieces, whole)) {
                HttpResponse response = site.client().send(call).get(120, TimeUnit.SECONDS);
                assertEquals(Long.toString(sum.getValue()), response.text());
            }
            assertEquals(1, site.client().connections());
        }
    }

    @ParameterizedTest
    @MethodSource("modes")
    void aBombEndsAtTheBoundOfTheService(Site.Mode mode) throws Exception {
        AtomicLong most = new AtomicLong();
        try (Site site = Site.start(
                mode,
                exchange -> exchange.decodedBody(new HttpBody() {
                    private long bytes;

                    @Override
                    public void data(HttpExchange own, ByteBuffer piece) {
                        bytes += piece.remaining();
                        most.accumulateAndGet(bytes, Math::max);
                    }

                    @Override
                    public void end(HttpExchange own, HttpFields trailers) {
                        own.send(200);
                    }
                }))) {
            HttpCall bomb =
                    HttpCall.post(site.uri(), "text/plain", new byte[16 << 20]).withGzip();
            assertEquals(
                    413, site.client().send(bomb).get(120, TimeUnit.SECONDS).status());
            assertTrue(most.get() <= 1 << 20, most + " bytes");
        }
    }
}
