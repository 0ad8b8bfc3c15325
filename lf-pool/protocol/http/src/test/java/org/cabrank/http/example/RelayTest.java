package org.cabrank.http.example;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import org.cabrank.http.Http;
import org.cabrank.http.HttpBody;
import org.cabrank.http.HttpExchange;
import org.cabrank.http.HttpHandler;
import org.cabrank.http.HttpService;
import org.cabrank.http.HttpTimeouts;
import org.cabrank.http.ServerModes;
import org.cabrank.http.Site;
import org.cabrank.http.client.HttpCall;
import org.cabrank.http.client.HttpClient;
import org.cabrank.http.client.HttpClientOptions;
import org.cabrank.http.client.HttpTransfer;
import org.cabrank.http.message.HttpFields;
import org.cabrank.http.message.HttpLimits;
import org.cabrank.stream.Backend;
import org.cabrank.stream.ConnectOptions;
import org.cabrank.stream.ListenOptions;
import org.cabrank.stream.StreamLimits;
import org.cabrank.stream.StreamReactor;
import org.cabrank.stream.StreamTimeouts;
import org.cabrank.stream.testkit.EmbeddedConnection;
import org.cabrank.tls.SelfSigned;
import org.cabrank.tls.Tls;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Large uploads from a client through a relay to a server: a slow end on either side, and memory that does not grow with the body. */
@Timeout(600)
class RelayTest {
    private static final long LARGE = 6L << 20;
    private static final long SECURE = 1L << 20;
    private static final long HUGE = 4L << 30;
    private static final int PIECE_BYTES = 16 << 10;

    /** Bounds what a connection keeps: a relay that reads faster than it sends has a write refused, which fails the upload. */
    private static final StreamLimits LIMITS = StreamLimits.DEFAULT.withQueue(64 << 10, 256 << 10, 512 << 10);

    private static SelfSigned identity;

    @BeforeAll
    static void certify() throws Exception {
        identity = SelfSigned.of(Instant.now().minusSeconds(60), Instant.now().plusSeconds(3_600), "localhost");
    }

    private enum Slow {
        CLIENT,
        SERVER,
        NEITHER
    }

    static Stream<Arguments> cases() {
        return ServerModes.all()
                .flatMap(mode -> Stream.of(
                        Arguments.of(mode, false, Slow.CLIENT, LARGE),
                        Arguments.of(mode, false, Slow.CLIENT, HttpCall.UNKNOWN_LENGTH),
                        Arguments.of(mode, false, Slow.SERVER, LARGE),
                        Arguments.of(mode, false, Slow.SERVER, HttpCall.UNKNOWN_LENGTH),
                        Arguments.of(mode, true, Slow.CLIENT, SECURE),
                        Arguments.of(mode, true, Slow.SERVER, HttpCall.UNKNOWN_LENGTH)));
    }

    /** Answers with the number of bytes and their checksum. If it is slow, it lets another thread ask for each piece. */
    private static HttpHandler summing(boolean slow) {
        return exchange -> exchange.body(new HttpBody() {
            private final CRC32 sum = new CRC32();
            private long bytes;

            @Override
            public void data(HttpExchange own, ByteBuffer piece) {
                bytes += piece.remaining();
                sum.update(piece);
                if (slow) {
                    own.pauseBody();
                    CompletableFuture.runAsync(own::resumeBody);
                }
            }

            @Override
            public void end(HttpExchange own, HttpFields trailers) {
                own.send(200, "text/plain", bytes + " " + sum.getValue());
            }
        });
    }

    /** Gives so many bytes. If it is slow, it lets another thread give each piece. */
    private static final class Source {
        private final CRC32 sum = new CRC32();
        private final long bytes;
        private final boolean slow;
        private final byte[] piece = new byte[PIECE_BYTES];
        private long given;

        Source(long bytes, boolean slow) {
            this.bytes = bytes;
            this.slow = slow;
        }

        private void write(HttpTransfer transfer) {
            do {
                piece[(int) (given / PIECE_BYTES % PIECE_BYTES)]++;
                sum.update(piece);
                transfer.write(ByteBuffer.wrap(piece));
                given += PIECE_BYTES;
            } while (given < bytes && !slow && transfer.isWritable());
            if (given == bytes) {
                transfer.end();
            } else if (slow) {
                transfer.whenWritable(
                        () -> CompletableFuture.runAsync(() -> write(transfer)).exceptionally(failed -> {
                            transfer.abort();
                            return null;
                        }));
            } else {
                transfer.whenWritable(() -> write(transfer));
            }
        }
    }

    private static StreamReactor reactor(ServerModes mode) throws Exception {
        return StreamReactor.builder()
                .backend(Backend.named(mode.backend()))
                .threadsPerShard(mode.threads())
                .limits(LIMITS)
                .start();
    }

    private static URI listen(StreamReactor reactor, boolean secure, HttpHandler handler) throws Exception {
        HttpService service = Http.server(handler)
                .withLimits(HttpLimits.DEFAULT.withBodyBytes(HttpLimits.UNLIMITED))
                .withTimeouts(HttpTimeouts.DEFAULT.withBody(StreamTimeouts.NEVER));
        var address = new InetSocketAddress("localhost", 0);
        var listener = secure
                ? reactor.listen(
                        address,
                        ListenOptions.DEFAULT,
                        Tls.server(identity.context()).build().handlers(service))
                : reactor.listen(address, ListenOptions.DEFAULT, service);
        int port = ((InetSocketAddress) listener.address()).getPort();
        return URI.create((secure ? "https" : "http") + "://localhost:" + port);
    }

    private static HttpClient client(StreamReactor reactor) throws Exception {
        var context = SelfSigned.trusting(identity.certificate());
        UnaryOperator<HttpClientOptions> patient = options -> options.withTimeout(Duration.ZERO);
        return Http.client(reactor)
                .withOptions(patient.apply(HttpClientOptions.DEFAULT))
                .withSecure((host, port, handler) -> Tls.client(context, host, port)
                        .build()
                        .connect(reactor, new InetSocketAddress(host, port), ConnectOptions.DEFAULT, handler));
    }

    private static void upload(ServerModes mode, boolean secure, Slow slow, long length, long bytes) throws Exception {
        try (StreamReactor serving = reactor(mode);
                StreamReactor relaying = reactor(mode);
                HttpClient ofRelay = client(relaying);
                HttpClient client = client(serving)) {
            URI origin = listen(serving, secure, summing(slow == Slow.SERVER));
            URI relay = listen(relaying, secure, HttpRecipes.relaying(ofRelay, origin));
            Source source = new Source(bytes, slow == Slow.CLIENT);
            HttpCall call = HttpCall.of("PUT", relay.resolve("/upload")).withBody(length, source::write);
            String answer = client.send(call).get(1, TimeUnit.HOURS).text();
            assertEquals(bytes + " " + source.sum.getValue(), answer);
            assertEquals(1, client.connections());
            assertEquals(1, ofRelay.connections());
        }
    }

    @ParameterizedTest
    @MethodSource("cases")
    void anUploadIsRelayedAsFastAsTheSlowestTakesIt(ServerModes mode, boolean secure, Slow slow, long length)
            throws Exception {
        upload(mode, secure, slow, length, secure ? SECURE : LARGE);
    }

    private static final String EXPECTING =
            "PUT /upload HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n";

    /** The origin decides: a client that waits for a permission gets that of the origin. */
    @ParameterizedTest
    @CsvSource({"true", "false"})
    void aPermissionIsThatOfTheOrigin(boolean permits) {
        AtomicReference<EmbeddedConnection> origin = new AtomicReference<>();
        try (HttpClient ofRelay = HttpClient.over((host, port, handler) -> {
                    origin.set(EmbeddedConnection.open(handler));
                    return CompletableFuture.completedFuture(origin.get().connection());
                });
                EmbeddedConnection client =
                        EmbeddedConnection.open(Http.server(HttpRecipes.relaying(ofRelay, URI.create("http://b")))
                                .get())) {
            client.peerSends(EXPECTING);
            origin.get().awaitIdle();
            assertEquals(EXPECTING.replace("Host: a", "Host: b"), origin.get().peerReceives());
            assertEquals("", client.peerReceives());
            origin.get()
                    .peerSends(
                            permits
                                    ? "HTTP/1.1 100 Continue\r\n\r\n"
                                    : "HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n");
            origin.get().awaitIdle();
            client.awaitIdle();
            String answer = client.peerReceives();
            if (permits) {
                assertEquals("HTTP/1.1 100 Continue\r\n\r\n", answer);
                client.peerSends("ok");
                origin.get().awaitIdle();
                assertEquals("ok", origin.get().peerReceives());
            } else {
                assertTrue(answer.startsWith("HTTP/1.1 403 Forbidden\r\n"), answer);
                assertTrue(answer.contains("\r\nConnection: close\r\n"), answer);
                assertEquals("", origin.get().peerReceives());
            }
        } finally {
            origin.get().close();
        }
    }

    @ParameterizedTest
    @MethodSource("org.cabrank.http.Site$Mode#all")
    void anUploadThatWaitsForAPermissionIsRelayed(Site.Mode mode) throws Exception {
        AtomicInteger expecting = new AtomicInteger();
        HttpHandler summing = summing(false);
        try (StreamReactor serving = reactor(mode.server());
                StreamReactor relaying = reactor(mode.server());
                HttpClient ofRelay = client(relaying);
                HttpClient client = client(serving)) {
            URI origin = listen(serving, mode.secure(), exchange -> {
                expecting.addAndGet(exchange.expectsContinue() ? 1 : 0);
                summing.request(exchange);
            });
            URI relay = listen(relaying, mode.secure(), HttpRecipes.relaying(ofRelay, origin));
            for (long length : new long[] {PIECE_BYTES, HttpCall.UNKNOWN_LENGTH}) {
                Source source = new Source(PIECE_BYTES, false);
                HttpCall call = HttpCall.of("PUT", relay.resolve("/upload"))
                        .withBody(length, source::write)
                        .expectContinue();
                String answer = client.send(call).get(5, TimeUnit.MINUTES).text();
                assertEquals(PIECE_BYTES + " " + source.sum.getValue(), answer);
            }
            assertEquals(2, expecting.get());
        }
    }

    @Test
    @Timeout(3_600)
    @EnabledIfSystemProperty(named = "cabrank.soak.seconds", matches = ".*")
    void fourGibibytesAreRelayed() throws Exception {
        for (Slow slow : Slow.values()) {
            upload(new ServerModes("epoll", 1), false, slow, HUGE, HUGE);
        }
    }
}
