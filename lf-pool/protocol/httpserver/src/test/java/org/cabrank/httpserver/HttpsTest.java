package org.cabrank.httpserver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsExchange;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSocket;
import org.cabrank.tls.SelfSigned;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Servers for HTTPS, as their configurators want them. */
@Timeout(300)
class HttpsTest {
    /** Has the certificate, and trusts it. */
    private static SSLContext known;

    /** Trusts the certificate. */
    private static SSLContext trusting;

    @BeforeAll
    static void makeCertificate() throws Exception {
        Instant now = Instant.now();
        SelfSigned made = SelfSigned.of(now.minusSeconds(60), now.plusSeconds(3_600), "localhost", "127.0.0.1");
        known = made.context(made.certificate());
        trusting = SelfSigned.trusting(made.certificate());
    }

    private interface Configuration {
        void configure(HttpsParameters parameters);
    }

    private static HttpsConfigurator configurator(SSLContext context, Configuration configuration) {
        return new HttpsConfigurator(context) {
            @Override
            public void configure(HttpsParameters parameters) {
                configuration.configure(parameters);
            }
        };
    }

    private static HttpsServer start(HttpServerSettings settings, HttpsConfigurator configurator) throws IOException {
        HttpsServer server = new CabrankHttpServerProvider(settings).createHttpsServer(ServerMode.anyPort(), 0);
        if (configurator != null) {
            server.setHttpsConfigurator(configurator);
        }
        server.createContext("/", HttpsTest::answerWithSession);
        server.start();
        return server;
    }

    private static void answerWithSession(HttpExchange exchange) throws IOException {
        SSLSession session = ((HttpsExchange) exchange).getSSLSession();
        String peer;
        try {
            peer = session.getPeerPrincipal().getName();
        } catch (SSLPeerUnverifiedException none) {
            peer = "nobody";
        }
        String body = new String(exchange.getRequestBody().readAllBytes());
        ServerLifeTest.answer(
                exchange, session.getProtocol() + " " + session.getCipherSuite() + " " + peer + " " + body);
    }

    private static RawClient connect(HttpsServer server, SSLContext context) throws IOException {
        return connect(new Socket(), server, context);
    }

    /** @param raw not yet connected */
    private static RawClient connect(Socket raw, HttpsServer server, SSLContext context) throws IOException {
        int port = server.getAddress().getPort();
        raw.connect(server.getAddress());
        SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket(raw, "localhost", port, true);
        return new RawClient(socket);
    }

    @ParameterizedTest
    @MethodSource("org.cabrank.httpserver.ServerMode#all")
    void theDefaultConfiguratorServes(ServerMode mode) throws Exception {
        HttpsConfigurator plain = new HttpsConfigurator(known);
        HttpsServer server = start(mode.settings(), plain);
        assertSame(plain, server.getHttpsConfigurator());
        assertThrows(IllegalStateException.class, () -> server.setHttpsConfigurator(plain));
        try (RawClient client = connect(server, trusting)) {
            String answer = client.get("/").answer().body();
            assertTrue(answer.startsWith("TLSv1.3 TLS_"), answer);
            assertTrue(answer.endsWith(" nobody "), answer);
            client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\n" + "x".repeat(60_000));
            client.send("x".repeat(40_000)); // read by a handler that waits
            assertTrue(client.answer().body().endsWith("x".repeat(100_000)));
        } finally {
            server.stop(0);
        }
    }

    /** The handler waits in its callback, whose connection decrypts and encrypts on other threads meanwhile. */
    @ParameterizedTest
    @MethodSource("org.cabrank.httpserver.ServerMode#all")
    void aLargeAnswerWaitsForItsClient(ServerMode mode) throws Exception {
        byte[] piece = new byte[100_000];
        int pieces = 50; // more than the kernel and the connection take
        HttpsServer server = new CabrankHttpServerProvider(mode.settings()).createHttpsServer(ServerMode.anyPort(), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(known));
        Semaphore begun = new Semaphore(0);
        server.createContext("/large", exchange -> {
            exchange.sendResponseHeaders(200, 0);
            begun.release();
            for (int i = 0; i < pieces; i++) {
                exchange.getResponseBody().write(piece);
            }
            exchange.close();
        });
        server.createContext("/", HttpsTest::answerWithSession);
        server.start();
        Socket small = new Socket();
        small.setReceiveBufferSize(4 << 10); // before the connection, or the kernel grows the buffer
        try (RawClient slow = connect(small, server, trusting);
                RawClient other = connect(server, trusting)) {
            slow.get("/large");
            assertTrue(begun.tryAcquire(120, TimeUnit.SECONDS));
            for (int i = 0; i < 5; i++) {
                assertEquals(200, other.get("/").answer().status());
            }
            assertEquals(pieces * piece.length, slow.answer().body().length());
            assertEquals(200, slow.get("/").answer().status());
        } finally {
            server.stop(0);
        }
    }

    /** A thread of an executor answers when the server has received the end of the client's output. */
    @ParameterizedTest
    @MethodSource("org.cabrank.httpserver.ServerMode#all")
    void aClientThatEndsItsOutputBehindItsRequestIsAnswered(ServerMode mode) throws Exception {
        HttpsServer server = new CabrankHttpServerProvider(mode.settings()).createHttpsServer(ServerMode.anyPort(), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(known));
        ExecutorService executor = Executors.newCachedThreadPool();
        server.setExecutor(executor);
        Semaphore ended = new Semaphore(0);
        server.createContext("/", HttpsTest::answerWithSession);
        server.createContext("/later", exchange -> {
            exchange.getRequestBody().readAllBytes();
            ended.acquireUninterruptibly();
            ServerLifeTest.answer(exchange, "later");
        });
        server.start();
        try (RawClient other = connect(server, trusting)) {
            for (String version : List.of("TLSv1.2", "TLSv1.3")) {
                for (String request : List.of(
                        "GET /later HTTP/1.1\r\nHost: a\r\n\r\n",
                        "POST /later HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nab")) {
                    try (RawClient client = connect(server, trusting)) {
                        SSLSocket socket = (SSLSocket) client.socket();
                        socket.setEnabledProtocols(new String[] {version});
                        client.send(request);
                        socket.shutdownOutput();
                        for (int i = 0; i < 3; i++) {
                            assertEquals(200, other.get("/").answer().status());
                        }
                        ended.release();
                        assertEquals("later", client.answer().body());
                        assertTrue(client.isEnded());
                    }
                }
            }
        } finally {
            server.stop(0);
            executor.shutdown();
        }
    }

    @Test
    void parametersDecideVersionSuiteAndClient() throws Exception {
        BlockingQueue<InetSocketAddress> clients = new LinkedBlockingQueue<>();
        HttpsServer server = start(HttpServerSettings.DEFAULT, configurator(known, parameters -> {
            clients.add(parameters.getClientAddress());
            SSLParameters wanted =
                    parameters.getHttpsConfigurator().getSSLContext().getDefaultSSLParameters();
            wanted.setProtocols(new String[] {"TLSv1.2"});
            wanted.setCipherSuites(new String[] {"TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256"});
            wanted.setNeedClientAuth(true);
            parameters.setSSLParameters(wanted);
        }));
        try (RawClient friend = connect(server, known)) {
            assertEquals(
                    "TLSv1.2 TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256 CN=localhost ",
                    friend.get("/").answer().body());
            assertEquals(friend.socket().getLocalSocketAddress(), clients.poll(120, TimeUnit.SECONDS));
            try (RawClient stranger = connect(server, trusting)) {
                assertThrows(IOException.class, () -> stranger.get("/").answer());
            }
        } finally {
            server.stop(0);
        }
    }

    @Test
    @SuppressWarnings("deprecation") // older programs call these
    void singleSettingsDecideTheSame() throws Exception {
        HttpsServer server = start(HttpServerSettings.DEFAULT, configurator(known, parameters -> {
            parameters.setProtocols(new String[] {"TLSv1.2"});
            parameters.setCipherSuites(new String[] {"TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384"});
            parameters.setWantClientAuth(true);
        }));
        try (RawClient friend = connect(server, known);
                RawClient stranger = connect(server, trusting)) {
            String common = "TLSv1.2 TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384 ";
            assertEquals(common + "CN=localhost ", friend.get("/").answer().body());
            assertEquals(common + "nobody ", stranger.get("/").answer().body());
        } finally {
            server.stop(0);
        }
    }

    @Test
    void aConfiguratorThatThrowsClosesTheConnection() throws Exception {
        HttpsServer server = start(HttpServerSettings.DEFAULT, configurator(known, parameters -> {
            throw new IllegalArgumentException("on purpose");
        }));
        try (RawClient client = connect(server, trusting)) {
            assertThrows(IOException.class, () -> client.get("/").answer());
        } finally {
            server.stop(0);
        }
    }

    @Test
    void withoutAConfiguratorConnectionsAreClosed() throws Exception {
        HttpsServer server = start(HttpServerSettings.DEFAULT, null);
        assertNull(server.getHttpsConfigurator());
        assertThrows(NullPointerException.class, () -> server.setHttpsConfigurator(null));
        try (RawClient client = new RawClient(server)) {
            assertTrue(client.isEnded());
        } finally {
            server.stop(0);
        }
    }

    @Test
    void anExchangeWithoutTlsIsNone() throws Exception {
        BlockingQueue<Boolean> secure = new LinkedBlockingQueue<>();
        var server = new ServerMode("epoll", 1).start(exchange -> {
            secure.add(exchange instanceof HttpsExchange);
            ServerLifeTest.answer(exchange, "plain");
        });
        try (RawClient client = new RawClient(server)) {
            client.get("/").answer();
            assertFalse(secure.poll(120, TimeUnit.SECONDS));
        } finally {
            server.stop(0);
        }
    }
}
