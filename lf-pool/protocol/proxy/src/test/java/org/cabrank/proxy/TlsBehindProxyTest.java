package org.cabrank.proxy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.cabrank.stream.Backend;
import org.cabrank.stream.BackendUnavailableException;
import org.cabrank.stream.BlockingHandlers;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.StreamServer;
import org.cabrank.tls.Tls;
import org.cabrank.tls.TlsConnection;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** TLS and the PROXY protocol on one connection, over each backend that works here, with real sockets. */
@ParameterizedClass(name = "{0}")
@ValueSource(strings = {"epoll", "iouring"})
@Timeout(300)
@Tag("newest") // on an older JDK in a soak only
class TlsBehindProxyTest {
    private static final InetSocketAddress CLIENT = SampleHeaders.address("192.0.2.7", 1_234);
    private static final InetSocketAddress OTHER = SampleHeaders.address("192.0.2.8", 1_234);

    private final String backend;
    private final Tls tls;
    private final BlockingQueue<SocketAddress> opened = new LinkedBlockingQueue<>();
    private final BlockingQueue<String> closed = new LinkedBlockingQueue<>();

    TlsBehindProxyTest(String backend) throws GeneralSecurityException {
        this.backend = backend;
        tls = Tls.server(TlsClient.CERTIFICATE.context()).build();
    }

    /** Place of the header. */
    enum Wiring {
        /** In plain text, before the handshake, as proxies send it that do not end TLS themselves. */
        HEADER_BEFORE_TLS {
            @Override
            Supplier<ConnectionHandler> handlers(ProxyProtocol proxies, Tls tls, Supplier<ConnectionHandler> service) {
                return proxies.handlers(tls.handlers(service));
            }

            @Override
            TlsClient connect(StreamServer server, InetSocketAddress client) throws Exception {
                return TlsClient.behind(header(client), server.port());
            }
        },

        /** As the first bytes within TLS, so that nobody else can write it. */
        HEADER_WITHIN_TLS {
            @Override
            Supplier<ConnectionHandler> handlers(ProxyProtocol proxies, Tls tls, Supplier<ConnectionHandler> service) {
                return tls.handlers(proxies.handlers(service));
            }

            @Override
            TlsClient connect(StreamServer server, InetSocketAddress client) throws Exception {
                return TlsClient.over(new Socket(InetAddress.getLoopbackAddress(), server.port()))
                        .send(header(client));
            }
        };

        abstract Supplier<ConnectionHandler> handlers(
                ProxyProtocol proxies, Tls tls, Supplier<ConnectionHandler> service);

        /** Connects as a proxy that speaks for {@code client}. */
        abstract TlsClient connect(StreamServer server, InetSocketAddress client) throws Exception;
    }

    private static ByteBuffer header(InetSocketAddress client) {
        return ProxyHeader.v2(client, SampleHeaders.LISTENER).encode();
    }

    /** Sends back each byte, and notes the addresses. */
    private final class Echo implements ConnectionHandler {
        @Override
        public void opened(Connection connection) {
            opened.add(connection.remoteAddress());
        }

        @Override
        public void data(Connection connection, ByteBuffer data) {
            connection.write(data);
        }

        @Override
        public void closed(Connection connection, Throwable cause) {
            closed.add(connection.remoteAddress() + " " + cause);
        }
    }

    private static ProxyProtocol.Builder trusting() {
        return ProxyProtocol.builder().trusted("127.0.0.1", "::1");
    }

    private StreamServer start(Supplier<ConnectionHandler> handlers) throws IOException {
        try {
            return StreamServer.builder()
                    .listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                    .backend(Backend.named(backend))
                    .threadsPerShard(backend.equals("epoll") ? 3 : 1)
                    .handler(handlers)
                    .start();
        } catch (BackendUnavailableException unavailable) {
            assertEquals("iouring", backend, unavailable.getMessage()); // epoll works everywhere
            return abort(backend + " is unavailable: " + unavailable.getMessage());
        }
    }

    @ParameterizedTest
    @EnumSource
    void theHandlerSeesTheAddressOfTheClient(Wiring wiring) throws Exception {
        ProxyProtocol proxies = trusting().build();
        String text = "both ways ".repeat(50_000);
        try (StreamServer server = start(wiring.handlers(proxies, tls, Echo::new))) {
            for (InetSocketAddress client : new InetSocketAddress[] {CLIENT, OTHER}) {
                try (TlsClient proxy = wiring.connect(server, client)) {
                    assertEquals("request", proxy.send("request").receive(7));
                    assertEquals(client, opened.poll(120, TimeUnit.SECONDS));
                    Thread sender = new Thread(() -> sendUnchecked(proxy, text));
                    sender.start();
                    assertEquals(text, proxy.receive(text.length()));
                    sender.join();
                }
                assertEquals(client + " null", closed.poll(120, TimeUnit.SECONDS));
            }
        }
        assertEquals(2, proxies.counters().version2());
        assertEquals(2, tls.counters().handshakesCompleted());
        assertEquals(0, tls.counters().truncations());
    }

    private static void sendUnchecked(TlsClient to, String text) {
        try {
            to.send(text);
        } catch (IOException broken) {
            throw new java.io.UncheckedIOException(broken);
        }
    }

    /** With the header outside, a connection beyond the limit costs no handshake. */
    @ParameterizedTest
    @EnumSource
    void theConnectionsOfAClientAreLimited(Wiring wiring) throws Exception {
        ProxyProtocol proxies = trusting().connectionsPerClientMax(1).build();
        try (StreamServer server = start(wiring.handlers(proxies, tls, Echo::new))) {
            try (TlsClient first = wiring.connect(server, CLIENT);
                    TlsClient other = wiring.connect(server, OTHER)) {
                assertEquals("one", first.send("one").receive(3));
                assertEquals("two", other.send("two").receive(3));
                assertRefused(wiring, server);
                assertEquals("one", first.send("one").receive(3));
            }
            assertEquals(1, proxies.counters().overLimit());
            assertEquals(
                    wiring == Wiring.HEADER_BEFORE_TLS ? 2 : 3, tls.counters().handshakesBegun());
            Objects.requireNonNull(closed.poll(120, TimeUnit.SECONDS));
            Objects.requireNonNull(closed.poll(120, TimeUnit.SECONDS));
            try (TlsClient again = wiring.connect(server, CLIENT)) {
                assertEquals("again", again.send("again").receive(5));
            }
        }
        assertEquals(1, proxies.counters().overLimit());
    }

    /** The connection is closed before the handshake, or when the header within TLS has been read. */
    private static void assertRefused(Wiring wiring, StreamServer server) {
        assertThrows(IOException.class, () -> {
            try (TlsClient beyond = wiring.connect(server, CLIENT)) {
                if (beyond.receive(1).isEmpty()) {
                    throw new IOException("ended");
                }
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void connectionsAreClosedByTheAddressOfTheClientWithACloseNotify(Wiring wiring) throws Exception {
        ProxyProtocol proxies = trusting().build();
        try (StreamServer server = start(wiring.handlers(proxies, tls, Echo::new));
                TlsClient closing = wiring.connect(server, CLIENT);
                TlsClient kept = wiring.connect(server, OTHER)) {
            closing.send("x").receive(1);
            kept.send("y").receive(1);
            assertEquals(
                    1,
                    server.reactor()
                            .closeConnections(
                                    connection -> connection.remoteAddress().equals(CLIENT)));
            assertEquals("", closing.receiveToEnd());
            closing.endOutput();
            assertEquals(CLIENT + " null", closed.poll(120, TimeUnit.SECONDS));
            assertEquals("z", kept.send("z").receive(1));
        }
    }

    /** The handler has the connection of the decorator that is next to it. */
    @ParameterizedTest
    @EnumSource
    void theInnerDecoratorIsWhatTheHandlerHas(Wiring wiring) throws Exception {
        BlockingQueue<Connection> connections = new LinkedBlockingQueue<>();
        ConnectionHandler noting = (connection, data) -> {
            connections.add(connection);
            connection.write(data);
        };
        try (StreamServer server = start(wiring.handlers(trusting().build(), tls, () -> noting));
                TlsClient proxy = wiring.connect(server, CLIENT)) {
            proxy.send("x").receive(1);
            Connection connection = connections.take();
            assertEquals(wiring == Wiring.HEADER_BEFORE_TLS, connection instanceof TlsConnection);
            assertEquals(wiring == Wiring.HEADER_WITHIN_TLS, connection instanceof ProxiedConnection);
            if (connection instanceof ProxiedConnection proxied) {
                assertEquals(
                        InetAddress.getLoopbackAddress(), ((InetSocketAddress) proxied.proxyAddress()).getAddress());
            }
        }
    }

    /** A client that speaks TLS without a header, at a port that demands the header first: no handshake begins. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aHandshakeWithoutAHeaderIsClosedUnlessNoneIsRequired(boolean required) throws Exception {
        ProxyProtocol proxies = trusting().required(required).build();
        try (StreamServer server = start(proxies.handlers(tls.handlers(Echo::new)))) {
            Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
            if (required) {
                assertThrows(IOException.class, () -> TlsClient.over(socket));
                assertEquals(1, proxies.counters().malformed());
                assertEquals(0, tls.counters().handshakesBegun());
                assertNull(opened.poll());
            } else {
                try (TlsClient client = TlsClient.over(socket)) {
                    assertEquals("x", client.send("x").receive(1));
                    assertEquals(socket.getLocalSocketAddress(), opened.poll(120, TimeUnit.SECONDS));
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void plainTextBehindTheHeaderIsClosedAndCounted(Wiring wiring) throws Exception {
        ProxyProtocol proxies = trusting().build();
        try (StreamServer server = start(wiring.handlers(proxies, tls, Echo::new));
                Socket plain = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            ByteBuffer header = header(CLIENT);
            plain.getOutputStream().write(header.array(), 0, header.limit());
            plain.getOutputStream().write("GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            plain.setSoTimeout(120_000);
            byte[] alert = plain.getInputStream().readAllBytes();
            assertEquals(21, alert[0], "an alert of TLS");
            plain.shutdownOutput();
        }
        assertEquals(1, tls.counters().handshakesFailed());
        assertNull(opened.poll());
    }

    /** Until TLS 1.2 a close_notify ends both directions, so it waits until the task has answered. */
    @ParameterizedTest
    @EnumSource
    void aBlockingTaskAnswersBeforeACloseNotifyIsRead(Wiring wiring) throws Exception {
        Tls older =
                Tls.server(TlsClient.CERTIFICATE.context()).protocols("TLSv1.2").build();
        CountDownLatch ended = new CountDownLatch(1);
        ExecutorService executor = Executors.newCachedThreadPool();
        Supplier<ConnectionHandler> slow = BlockingHandlers.of(executor, connection -> {
            byte[] question = connection.inputStream().readNBytes(1);
            assertTrue(ended.await(120, TimeUnit.SECONDS), "the client has sent its close_notify");
            connection.write(question, 0, 1);
        });
        try (StreamServer server = start(wiring.handlers(trusting().build(), older, slow));
                TlsClient proxy = wiring.connect(server, CLIENT)) {
            proxy.send("x").endOutput();
            ended.countDown();
            assertEquals("x", proxy.receiveToEnd());
        } finally {
            executor.shutdown();
        }
    }
}
