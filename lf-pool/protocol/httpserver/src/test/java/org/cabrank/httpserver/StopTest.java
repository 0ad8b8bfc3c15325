package org.cabrank.httpserver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.cabrank.lf.fixture.Await;
import org.cabrank.tls.SelfSigned;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The end of a server whose clients keep their connections open. */
@Timeout(300)
class StopTest {
    private final Logger logger = Logger.getLogger("org.cabrank");
    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final List<RawClient> clients = new ArrayList<>();
    private final Handler capture = new Handler() {
        @Override
        public void publish(LogRecord logged) {
            if (logged.getLevel().intValue() >= Level.INFO.intValue()) {
                lines.add(logged.getLevel() + " " + logged.getMessage());
            }
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    @BeforeEach
    void listen() {
        logger.addHandler(capture);
    }

    @AfterEach
    void close() throws Exception {
        logger.removeHandler(capture);
        for (RawClient client : clients) {
            client.close();
        }
    }

    private RawClient client(HttpServer server) throws Exception {
        RawClient client = new RawClient(server);
        clients.add(client);
        return client;
    }

    /** As the JDK's server: a program that has worked with that finds nothing new in its log. */
    @ParameterizedTest
    @MethodSource("org.cabrank.httpserver.ServerMode#all")
    void aServerThatServesHasNothingToReport(ServerMode mode) throws Exception {
        HttpServer server = new CabrankHttpServerProvider(
                        HttpServerSettings.DEFAULT.withThreads(mode.threads())) // backend auto
                .createHttpServer(ServerMode.anyPort(), 0);
        server.createContext("/", exchange -> ServerLifeTest.answer(exchange, "hello"));
        server.start();
        assertEquals("hello", client(server).get("/").answer().body());
        server.stop(0);
        assertEquals(List.of(), lines);
    }

    /** No client ends its connection: the server waits for none of them, resets none, and has nothing to report. */
    @ParameterizedTest
    @MethodSource("org.cabrank.httpserver.ServerMode#all")
    void idleConnectionsAreClosedWithoutAWait(ServerMode mode) throws Exception {
        HttpServer server = mode.start(exchange -> ServerLifeTest.answer(exchange, "hello"));
        RawClient silent = client(server);
        RawClient kept = client(server);
        assertEquals("hello", kept.get("/").answer().body());
        RawClient inHead = client(server).send("GET / HTT");
        RawClient last = client(server).send("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
        assertEquals("hello", last.answer().body());
        RawClient inBody = client(server)
                .send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 200000\r\n\r\n" + "x".repeat(70_000));
        assertEquals("hello", inBody.answer().body());
        Await.until(
                "all connections stand",
                () -> CabrankHttpServerProvider.reactor(server).connections().size() == 5);
        server.stop(0);
        assertEquals(0, CabrankHttpServerProvider.reactor(server).connections().size());
        for (RawClient client : List.of(silent, kept, inHead, last)) {
            assertEquals(-1, client.socket().getInputStream().read());
        }
        assertTrue(inBody.isEnded());
        assertEquals(
                List.of(),
                lines.stream().filter(line -> !line.startsWith("INFO")).toList());
    }

    /** A connection that the server has not seen before {@code stop} is one of its idle ones. */
    @ParameterizedTest
    @MethodSource("org.cabrank.httpserver.ServerMode#all")
    void connectionsOfTheLastMomentAreClosedWithoutAWait(ServerMode mode) throws Exception {
        HttpServer server = mode.start(exchange -> ServerLifeTest.answer(exchange, "hello"));
        for (int i = 0; i < 100; i++) {
            client(server);
        }
        server.stop(0);
        for (RawClient client : clients) {
            assertEquals(-1, client.socket().getInputStream().read());
        }
        assertEquals(
                List.of(),
                lines.stream().filter(line -> !line.startsWith("INFO")).toList());
    }

    @ParameterizedTest
    @MethodSource("org.cabrank.httpserver.ServerMode#all")
    void idleConnectionsOverTlsAreClosedWithoutAWait(ServerMode mode) throws Exception {
        Instant now = Instant.now();
        SelfSigned made = SelfSigned.of(now.minusSeconds(60), now.plusSeconds(3_600), "localhost");
        SSLContext trusting = SelfSigned.trusting(made.certificate());
        HttpsServer server = new CabrankHttpServerProvider(mode.settings()).createHttpsServer(ServerMode.anyPort(), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(made.context(made.certificate())));
        server.createContext("/", exchange -> ServerLifeTest.answer(exchange, "hello"));
        server.start();
        for (String version : List.of("TLSv1.2", "TLSv1.3")) {
            int port = server.getAddress().getPort();
            SSLSocket socket = (SSLSocket) trusting.getSocketFactory()
                    .createSocket(new Socket(InetAddress.getLoopbackAddress(), port), "localhost", port, true);
            socket.setEnabledProtocols(new String[] {version});
            RawClient kept = new RawClient(socket);
            clients.add(kept);
            assertEquals("hello", kept.get("/").answer().body());
        }
        client(server); // in its handshake
        Await.until(
                "all connections stand",
                () -> CabrankHttpServerProvider.reactor(server).connections().size() == 3);
        server.stop(0);
        for (RawClient client : clients) {
            assertEquals(-1, client.socket().getInputStream().read());
        }
        assertEquals(
                List.of(),
                lines.stream().filter(line -> !line.startsWith("INFO")).toList());
    }

    @ParameterizedTest
    @MethodSource("org.cabrank.httpserver.ServerMode#all")
    void aSecondStopEndsTheDelayOfTheFirst(ServerMode mode) throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        HttpServer server = mode.start(exchange -> begun.countDown()); // nobody answers
        RawClient silent = client(server);
        RawClient never = client(server).get("/");
        ServerLifeTest.await(begun);
        Thread first = new Thread(() -> server.stop(30_000), "first stop");
        first.start();
        Await.until("the first stop waits", () -> first.getState() == Thread.State.TIMED_WAITING);
        server.stop(0);
        assertEquals(-1, silent.socket().getInputStream().read());
        assertTrue(never.isEnded());
        first.join();
        assertEquals(List.of(), lines);
    }

    /** An exchange that nobody answers ends with its connection, and the idle connections beside it end in order. */
    @ParameterizedTest
    @MethodSource("org.cabrank.httpserver.ServerMode#all")
    void idleConnectionsEndInOrderBesideAnExchangeThatDoesNot(ServerMode mode) throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        HttpServer server = mode.start(exchange -> {
            if (exchange.getRequestURI().getPath().equals("/never")) {
                begun.countDown();
            } else {
                ServerLifeTest.answer(exchange, "hello");
            }
        });
        RawClient kept = client(server);
        assertEquals("hello", kept.get("/").answer().body());
        RawClient never = client(server).get("/never");
        ServerLifeTest.await(begun);
        server.stop(0);
        assertEquals(-1, kept.socket().getInputStream().read());
        assertTrue(never.isEnded());
        assertEquals(
                List.of(),
                lines.stream().filter(line -> !line.startsWith("INFO")).toList());
    }
}
